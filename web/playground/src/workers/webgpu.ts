// WebGPU, for the page.

import { WebGpu } from "../draw/webgpu.ts";
import { serveRenderer } from "./renderer.ts";

serveRenderer(() => WebGpu.open());
