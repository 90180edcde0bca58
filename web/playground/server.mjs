// A server for the files of dist, on this machine only.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("dist", import.meta.url));
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** The file for an address, or null if it leads outside. */
function fileFor(address) {
  let path;
  try {
    path = decodeURIComponent(new URL(address, "http://localhost").pathname);
  } catch {
    return null;
  }
  const file = normalize(join(root, path.endsWith("/") ? `${path}index.html` : path));
  return file.startsWith(root + sep) && !file.includes("\0") ? file : null;
}

async function answer(request, response) {
  const file = fileFor(request.url);
  const found = file === null ? null : await stat(file).catch(() => null);
  if (!found?.isFile()) return response.writeHead(404, { "content-type": "text/plain" }).end("There is no such file.\n");
  if (request.method !== "GET" && request.method !== "HEAD") return response.writeHead(405, { allow: "GET, HEAD" }).end();
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-length": found.size, "x-content-type-options": "nosniff" });
  if (request.method === "HEAD") response.end();
  else createReadStream(file).pipe(response);
}

/** Starts a server; port 0 is any that is free. */
export async function serve(port) {
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return { url: `http://localhost:${server.address().port}/`, close: () => server.close() };
}
