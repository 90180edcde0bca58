// WebGL 2, for the page.

import { WebGl } from "../draw/webgl.ts";
import { serveRenderer } from "./renderer.ts";

serveRenderer(() => WebGl.open());
