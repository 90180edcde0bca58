// A server for the files of dist, on this machine only.

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("dist", import.meta.url));
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** The file for an address, or null if there is none, or if it leads out of the folder, also by a link. */
async function fileFor(folder, address) {
  try {
    const path = decodeURIComponent(new URL(address, "http://localhost").pathname);
    const file = await realpath(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    return file.startsWith((await realpath(folder)) + sep) ? file : null;
  } catch {
    return null;
  }
}

async function answer(folder, request, response) {
  const file = await fileFor(folder, request.url);
  const found = file === null ? null : await stat(file).catch(() => null);
  if (!found?.isFile()) return response.writeHead(404, { "content-type": "text/plain" }).end("There is no such file.\n");
  if (request.method !== "GET" && request.method !== "HEAD") return response.writeHead(405, { allow: "GET, HEAD" }).end();
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-length": found.size, "x-content-type-options": "nosniff" });
  if (request.method === "HEAD") response.end();
  // `pipeline` also closes the file if the client disconnects.
  else await pipeline(createReadStream(file), response);
}

/** Starts a server for a folder's files; port 0 selects any free port. */
export async function serve(port, folder = DIST) {
  const server = createServer((request, response) => void answer(folder, request, response).catch(() => response.destroy()));
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return { url: `http://localhost:${server.address().port}/`, close: () => server.close() };
}
