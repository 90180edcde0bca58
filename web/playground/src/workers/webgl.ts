// The worker that draws with WebGL 2.

import { WebGl } from "../draw/webgl.ts";
import { serveRenderer } from "./renderer.ts";

serveRenderer(() => WebGl.open());
