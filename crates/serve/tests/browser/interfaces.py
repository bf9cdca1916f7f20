"""The interfaces for programs, used by what others use: schemathesis, and the Python client of MCP.

    interfaces.py TSUGI
"""

import asyncio
import http.server
import pathlib
import subprocess
import sys
import tempfile
import threading

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

TOKEN = "0123456789abcdef"
LOCAL = ["--allow-private", "127.0.0.1", "--delay", "0", "--retries", "0"]
ROOT = pathlib.Path(__file__).parents[4]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the data sets of the project."""

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=ROOT / "datasets")

    def log_message(self, *_):
        pass


def described(tsugi: str) -> None:
    """Lets schemathesis try what the description promises."""
    with tempfile.TemporaryDirectory() as folder:
        token = pathlib.Path(folder, "token")
        token.write_text(TOKEN)
        arguments = ["serve", "--quiet", "--browser", "never", "--listen", "127.0.0.1:0", "--token-file", str(token), *LOCAL]
        server = subprocess.Popen([tsugi, *arguments], stdout=subprocess.PIPE, text=True)
        try:
            origin = server.stdout.readline().split("/#")[0]
            # The guard refuses all but loopback, where nothing listens: errors are described as well as answers.
            subprocess.run(
                ["schemathesis", "--config-file", pathlib.Path(__file__).with_name("schemathesis.toml"), "run",
                 f"{origin}/openapi.json", "--url", origin, "-H", f"X-Tsugi-Token: {TOKEN}",
                 "--max-examples", "25", "--seed", "1"],
                # It keeps a cache where it runs.
                cwd=folder,
                check=True,
            )
        finally:
            server.terminate()
            server.wait()


async def asked(tsugi: str, url: str) -> None:
    """Calls every tool, as a client would."""
    parameters = StdioServerParameters(command=tsugi, args=["mcp", *LOCAL])
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = sorted(tool.name for tool in (await session.list_tools()).tools)
        assert tools == ["find_in_article", "next_page", "read_article"], tools

        async def call(name: str, **given: object) -> tuple[str, bool]:
            answer = await session.call_tool(name, given)
            return answer.content[0].text, bool(getattr(answer, "isError", getattr(answer, "is_error", False)))

        text, failed = await call("read_article", url=url, max_characters=300)
        assert not failed and "4 pages, whole" in text, text
        text, failed = await call("next_page", url=url)
        assert not failed and "2.html" in text, text
        text, failed = await call("find_in_article", url=url, query="tide")
        assert not failed and "found" in text, text
        text, failed = await call("read_article", url="http://169.254.169.254/")
        assert failed and "never fetched" in text, text
        print(f"MCP: {', '.join(tools)} answered")


def main() -> None:
    tsugi = sys.argv[1]
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    asyncio.run(asked(tsugi, f"http://127.0.0.1:{site.server_port}/english-article/1.html"))
    described(tsugi)


main()
