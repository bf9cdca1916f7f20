"""Measures texts with our n-gram measures, with sacreBLEU and with rouge-score, and compares.

    ngram-measures.py PROGRAM [DATA]     PROGRAM is `crates/learning/examples/ngram_measures.rs`, built

The packages get our tokens, so that the measures are compared and not the tokenisers. sacreBLEU's brevity penalty is
left out: its precisions are put together again. Exit code 1 where a pair differs.
"""

import collections
import json
import math
import pathlib
import random
import subprocess
import sys

from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU

SETS = ["crawls", "sites", "wcxb", "wedata"]  # those with labelled texts
PAGES_OF_A_SET = 40
CHARACTERS_OF_A_TEXT = 20_000
DIFFERENCE = 1e-9

OWN_TEXTS = [
    "",
    "page",
    "page two",
    "次へ",
    "the the the the the the the",
    "The cat sat on the mat.\nThe cat is on the mat!",
    "次のページへ進む。\n次のページへ戻る。\n読みたい記事は、次のページにあります。",
    "다음 페이지로 이동합니다.\n이전 페이지",
    "It's 3.14 — or 22/7, isn't it?\nIT IS.",
    "Größe, naïveté, Ωμέγα, слово\nहिन्दी में पाठ\nالنص العربي",
    "a b a b a b a b\nb a b a b a b a",
]


def page_texts(data):
    """Labelled texts of some pages of each set."""
    for name in SETS:
        with open(data / name / "labels.jsonl", encoding="utf-8") as file:
            texts = [json.loads(line).get("text") for line in file]
        texts = [text[:CHARACTERS_OF_A_TEXT] for text in texts if text]
        for text in random.Random(name).sample(texts, min(PAGES_OF_A_SET, len(texts))):
            yield name, text


def candidates(text, other, chance):
    """Versions of a text, each a list of lines: itself, cut, thinned out, mixed with another text, misspelt."""
    lines, others = text.split("\n"), other.split("\n")
    letters = list(text)
    for _ in range(len(letters) // 50 + 1):
        if letters:
            letters[chance.randrange(len(letters))] = chance.choice(" a.月")
    yield lines
    yield lines[: chance.randint(0, len(lines))]
    yield [line for line in lines if chance.random() < 0.7]
    yield [line for line in lines if chance.random() < 0.1]
    yield others[: len(others) // 2] + lines
    yield others
    yield [line for line in lines for _ in range(chance.randint(0, 3))]
    yield chance.sample(lines, len(lines))
    yield "".join(letters).split("\n")
    yield [text[: chance.randint(0, 12)]]


class Given:
    """A tokeniser for rouge-score, which wants strings: tokens stand between spaces."""

    def tokenize(self, text):
        return text.split()


class Others:
    """Both measures as the packages have them."""

    def __init__(self):
        self.bleu = BLEU(tokenize="none", smooth_method="none", effective_order=True)
        self.rouge = rouge_scorer.RougeScorer(["rouge1", "rouge2"], tokenizer=Given())

    def measure(self, candidate, reference):
        # Numbers in place of tokens: Python takes more characters for white space than Unicode does.
        numbers = collections.defaultdict(lambda: len(numbers))
        own, other = (" ".join(str(numbers[token]) for token in tokens) for tokens in (candidate, reference))
        precisions = self.bleu.sentence_score(own, [other]).precisions[: len(candidate)]
        right = bool(precisions) and all(precisions)
        bleu = math.exp(sum(math.log(p / 100) for p in precisions) / len(precisions)) if right else 0.0
        # With fewer than two tokens there are no pairs to recall.
        rouge = self.rouge.score(other, own)["rouge2" if len(reference) > 1 else "rouge1"].recall
        return bleu, rouge


def main(program, data=None):
    texts = [("own", text) for text in OWN_TEXTS]
    if data:
        texts += page_texts(pathlib.Path(data))
    chance = random.Random(1)
    asked = []
    for name, text in texts:
        others = [chance.choice(texts)[1]] if name != "own" else OWN_TEXTS
        versions = [version for other in others for version in candidates(text, other, chance)]
        asked.append({"reference": text, "candidates": versions})
    lines = "".join(json.dumps(line) + "\n" for line in asked)
    answer = subprocess.run([program], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
    *answers, last = map(json.loads, answer.decode().split("\n")[:-1])

    others, counts, farthest, tokens, between = Others(), collections.Counter(), 0.0, 0, 0
    for (name, text), line in zip(texts, answers, strict=True):
        reference = line["reference"]
        tokens += len(reference)
        for found in line["candidates"]:
            candidate = found["tokens"]
            tokens += len(candidate)
            if not candidate or not reference:
                # The packages give 0 where both are empty; we give 1.
                expected = (float(candidate == reference),) * 2
            else:
                expected = others.measure(candidate, reference)
            ours = found["bleu"], found["rouge"]
            away = max(abs(a - b) for a, b in zip(ours, expected))
            farthest = max(farthest, away)
            between += any(0 < value < 1 for value in ours)
            counts[name] += 1
            if not away <= DIFFERENCE:
                counts["different"] += 1
                print(f"{name}, {text[:40]!r}: ours {ours}, theirs {expected}", file=sys.stderr)
    different = counts.pop("different", 0)
    pairs = sum(counts.values())
    print(f"{pairs} pairs of {len(texts)} texts ({', '.join(f'{n} {c}' for n, c in counts.items())}), {between} neither 0 nor 1")
    print(f"{different} differ by more than {DIFFERENCE}; the greatest difference is {farthest:.1e}")
    print(f"ours: {tokens} tokens in {last['seconds']:.2f} s")
    return 1 if different or not pairs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
