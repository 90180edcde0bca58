// The command ./web/serve.

import { serve } from "./server.mjs";

const port = Number(process.argv[2] ?? 8080);
if (process.argv.length > 3 || !Number.isInteger(port)) {
  console.error("usage: ./web/serve [port]");
  process.exit(2);
}
console.log((await serve(port)).url);
