// Shows the description of the interface for programs.

import { make } from "./api.js";

const description = await (await fetch("/openapi.json")).json();
const resolve = (part) => (part.$ref ? part.$ref.split("/").slice(1).reduce((at, name) => at[name], description) : part);

/** Shows what stands between backticks as code. */
const marked = (words) => (words ?? "").split("`").map((part, at) => (at % 2 === 1 ? make("code", {}, part) : part));

function parameter({ name, required, description: words, schema }) {
  const { enum: choice, default: usual, minimum, maximum } = schema ?? {};
  const facts = [required ? "needed" : null, choice ? choice.join(", ") : null, minimum === undefined ? null : `${minimum} to ${maximum}`, usual === undefined ? null : `usually ${usual}`].filter(Boolean);
  return [make("dt", {}, make("code", {}, name)), make("dd", {}, ...marked(words), facts.length > 0 ? make("small", {}, ` (${facts.join("; ")})`) : null)];
}

function fields(operation) {
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  if (!schema) return [];
  const { properties = {}, required = [] } = resolve(schema);
  return Object.entries(properties).flatMap(([name, property]) => parameter({ name, required: required.includes(name), description: property.description, schema: property }));
}

function section([path, methods]) {
  return Object.entries(methods).map(([method, operation]) => {
    const parameters = (operation.parameters ?? []).map(resolve);
    const given = [...parameters.flatMap(parameter), ...fields(operation)];
    const media = Object.keys(operation.responses?.["200"]?.content ?? {});
    const query = parameters.some(({ name }) => name === "url") ? "?url=https://example.com/article" : "";
    const command = method === "get" ? `curl '${location.origin}${path}${query}'`
      : `curl -H 'X-Tsugi-Token: …' -H 'Content-Type: application/json' \\\n  -d '${path.endsWith("batch") ? '{"urls": ["https://example.com/article"]}' : '{"url": "https://example.com/article"}'}' '${location.origin}${path}'`;
    return make("section", {}, make("h2", {}, make("span", { class: "method" }, method.toUpperCase()), make("code", {}, path)),
      make("p", {}, ...marked(operation.summary), ". ", media.length > 0 ? make("small", {}, `Answers with ${media.join(", ")}.`) : null),
      given.length > 0 ? make("dl", {}, ...given) : null, make("pre", { tabindex: "0" }, command));
  });
}

document.getElementById("paths").append(...Object.entries(description.paths).flatMap(section));
