// Serves pages on 127.0.0.1, over http and https under any host name, until the program ends.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

function certificate() {
  const folder = mkdtempSync(join(tmpdir(), "tsugi-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=tests", "-keyout", key, "-out", cert];
  execFileSync("openssl", request, { stdio: "ignore" });
  const read = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return read;
}

/**
 * Starts the servers. `answer(url, request)` returns `{ status, headers, body }`, or nothing for a page that is not there.
 * Returns the addresses' rule for Chromium, the port of plain http, and the list of what was asked.
 */
export async function serve(answer) {
  const asked = [];
  const handle = (scheme) => async (request, response) => {
    const url = new URL(request.url, `${scheme}://${request.headers.host}`);
    asked.push(url.href);
    const found = (await answer(url, request)) ?? { status: 404, body: "not found" };
    response.writeHead(found.status ?? 200, { "content-type": "text/html; charset=utf-8", ...found.headers });
    response.end(found.body ?? "");
  };
  const servers = [http.createServer(handle("http")), https.createServer(certificate(), handle("https"))];
  for (const server of servers) await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const [port, securePort] = servers.map((server) => server.address().port);
  // Firefox has no rules for addresses: it asks the first server as a proxy.
  servers[0].on("connect", (_, client) => {
    const inside = connect(securePort, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    for (const socket of [client, inside]) socket.on("error", () => [client, inside].forEach((other) => other.destroy()));
    inside.pipe(client).pipe(inside);
  });
  return {
    asked,
    port,
    rules: `MAP *:443 127.0.0.1:${securePort}, MAP *:80 127.0.0.1:${port}`,
    close: () => servers.forEach((server) => { server.closeAllConnections(); server.close(); }),
  };
}
