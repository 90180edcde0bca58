// The worker that draws with WebGPU.

import { WebGpu } from "../draw/webgpu.ts";
import { serveRenderer } from "./renderer.ts";

serveRenderer(() => WebGpu.open());
