// Draws in WebGPU with WGSL.

import type { Constant, Draw } from "agalc/executor";
import {
  type Job, type Resource, type Sampler, type TextureResource,
  attributes, block, hasDepthOutput, resources, samplerOf, shape, texels, textureOf, writtenTargets,
} from "./interface.ts";

const FORMAT: GPUTextureFormat = "rgba8unorm";
const DEPTH_FORMAT: GPUTextureFormat = "depth32float";
/** Limits that are raised to those of the device. */
const LIMITS = ["maxInterStageShaderVariables", "maxTextureDimension2D", "maxVertexAttributes", "maxVertexBuffers"] as const;
/** The bytes of a vertex: four words, in a separate buffer for each attribute. */
const VERTEX_BYTES = 16;

interface Loaded {
  job: Job;
  pipeline: GPURenderPipeline;
  groups: GPUBindGroup[];
  constants: { resource: Resource & { kind: "constants" }; buffer: GPUBuffer }[];
  vertices: GPUBuffer[];
  indices: GPUBuffer;
  targets: GPUTexture[];
  depth: GPUTexture | null;
}

export class WebGpu {
  private loaded: Loaded | null = null;
  /** The objects that belong to the job, and are deleted with it. */
  private made: (GPUBuffer | GPUTexture)[] = [];
  /** The reason why the device is lost. */
  private lost: string | null = null;

  private constructor(private readonly device: GPUDevice) {
    void device.lost.then(({ message }) => (this.lost = `The device was lost: ${message}`));
  }

  /** @throws if there is no WebGPU */
  static async open(): Promise<WebGpu> {
    if (!("gpu" in navigator)) throw new Error("This browser has no WebGPU.");
    const adapter = await navigator.gpu.requestAdapter();
    if (!adapter) throw new Error("WebGPU found no graphics device.");
    const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));
    const requiredFeatures = (["shader-f16"] as const).filter((feature) => adapter.features.has(feature));
    return new WebGpu(await adapter.requestDevice({ requiredLimits, requiredFeatures }));
  }

  get isLost(): boolean {
    return this.lost !== null;
  }

  /** Compiles the shader and uploads everything but the constants. */
  async load(job: Job): Promise<void> {
    this.loaded = null;
    for (const thing of this.made) thing.destroy();
    this.made = [];
    this.loaded = await this.checked(() => this.upload(job));
  }

  /** Draws, and returns the pixels of each target, rows from the top. */
  async render(constants: readonly Constant[]): Promise<Uint8Array[]> {
    const { device, loaded } = this;
    if (!loaded) throw new Error("nothing is loaded");
    return this.checked(async () => {
      const { draw } = loaded.job;
      for (const { resource, buffer } of loaded.constants) {
        device.queue.writeBuffer(buffer, 0, block(resource, draw, constants));
      }
      const encoder = device.createCommandEncoder();
      this.pass(encoder, loaded);
      return this.read(encoder, loaded);
    });
  }

  /** Performs an action, and throws the errors that the device reports meanwhile. */
  private async checked<T>(action: () => Promise<T>): Promise<T> {
    const { device } = this;
    const scopes = ["validation", "out-of-memory", "internal"] as const;
    for (const scope of scopes) device.pushErrorScope(scope);
    const result = await action().then((value) => ({ value }), (error: Error) => ({ error }));
    const reported = await Promise.all(scopes.map(() => device.popErrorScope().catch(() => null)));
    const messages = reported.flatMap((error) => (error ? [error.message] : []));
    if (this.lost) messages.push(this.lost);
    if ("error" in result) messages.unshift(result.error.message);
    if (messages.length > 0) throw new Error([...new Set(messages)].join("\n"));
    return (result as { value: T }).value;
  }

  private async upload(job: Job): Promise<Loaded> {
    const { device } = this;
    const { draw, reflection } = job;
    const module = await this.compile(job.texts[0] ?? "");
    const { layouts, groups, constants } = this.bind(job);
    const read = attributes(reflection);
    const written = writtenTargets(reflection);
    // A program that writes a depth needs a depth buffer, even if the scene has none.
    const hasDepth = draw.depth !== null || hasDepthOutput(reflection);
    const pipeline = await device.createRenderPipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: layouts }),
      vertex: {
        module,
        buffers: read.map(({ location, type }) => ({
          arrayStride: VERTEX_BYTES,
          attributes: [{ shaderLocation: location, offset: 0, format: vertexFormat(type) }],
        })),
      },
      primitive: { topology: draw.topology === "points" ? "point-list" : "triangle-list", frontFace: "cw", cullMode: draw.cull },
      ...(hasDepth && {
        depthStencil: { format: DEPTH_FORMAT, depthCompare: draw.depth ?? "always", depthWriteEnabled: draw.depth !== null },
      }),
      fragment: {
        module,
        targets: Array.from({ length: draw.targets }, (_, target) => ({
          format: FORMAT, writeMask: written.has(target) ? GPUColorWrite.ALL : 0,
        })),
      },
    });
    return {
      job, pipeline, groups, constants,
      vertices: read.map(({ location }) => {
        const given = draw.attributes.find((attribute) => attribute.location === location);
        return this.filled(GPUBufferUsage.VERTEX, given?.words ?? new Uint32Array(4));
      }),
      indices: this.filled(GPUBufferUsage.INDEX, draw.indices),
      targets: Array.from({ length: draw.targets }, () => this.attachment(draw, FORMAT)),
      depth: hasDepth ? this.attachment(draw, DEPTH_FORMAT) : null,
    };
  }

  private async compile(code: string): Promise<GPUShaderModule> {
    const module = this.device.createShaderModule({ code });
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter(({ type }) => type === "error");
    if (errors.length === 0) return module;
    throw new Error(errors.map(({ lineNum, linePos, message }) => `${lineNum}:${linePos}: ${message}`).join("\n"));
  }

  private bind(job: Job): Pick<Loaded, "groups" | "constants"> & { layouts: GPUBindGroupLayout[] } {
    const { device } = this;
    const all = resources(job.reflection);
    const constants: Loaded["constants"] = [];
    const layouts: GPUBindGroupLayout[] = [];
    const groups: GPUBindGroup[] = [];
    const last = Math.max(-1, ...all.map(({ group }) => group ?? 0));
    for (let group = 0; group <= last; group++) {
      const entries: GPUBindGroupLayoutEntry[] = [];
      const bound: GPUBindGroupEntry[] = [];
      for (const resource of all.filter((one) => (one.group ?? 0) === group)) {
        const binding = resource.binding ?? 0;
        const visibility = resource.stage === "vertex" ? GPUShaderStage.VERTEX : GPUShaderStage.FRAGMENT;
        if (resource.kind === "constants") {
          const buffer = this.filled(GPUBufferUsage.UNIFORM, block(resource, job.draw, []));
          constants.push({ resource, buffer });
          entries.push({ binding, visibility, buffer: { type: "uniform" } });
          bound.push({ binding, resource: { buffer } });
        } else if (resource.kind === "texture") {
          entries.push({ binding, visibility, texture: { sampleType: "float", viewDimension: resource.dimension } });
          bound.push({ binding, resource: this.texture(resource, job.draw) });
        } else {
          entries.push({ binding, visibility, sampler: { type: "filtering" } });
          bound.push({ binding, resource: this.sampler(samplerOf(job.reflection, resource)) });
        }
      }
      const layout = device.createBindGroupLayout({ entries });
      layouts.push(layout);
      groups.push(device.createBindGroup({ layout, entries: bound }));
    }
    return { layouts, groups, constants };
  }

  /** Makes a sampler. Anisotropic filters are replaced by linear ones, as in the executor. */
  private sampler({ webgpu }: Sampler): GPUSampler {
    return this.device.createSampler({ ...webgpu, maxAnisotropy: 1 });
  }

  private texture(resource: TextureResource, draw: Draw): GPUTextureView {
    const { dimension } = resource;
    const { levels } = textureOf(draw, resource);
    const [first] = levels;
    if (!first) throw new Error("a texture has no levels");
    const texture = this.device.createTexture({
      dimension: dimension === "3d" ? "3d" : "2d",
      size: [first.width, first.height, first.depth],
      mipLevelCount: levels.length,
      format: FORMAT,
      usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
    });
    this.made.push(texture);
    levels.forEach(({ width, height, depth, rgba }, mipLevel) => {
      const layout = { bytesPerRow: width * 4, rowsPerImage: height };
      this.device.queue.writeTexture({ texture, mipLevel }, texels(rgba), layout, [width, height, depth]);
    });
    return texture.createView({ dimension });
  }

  private filled(usage: GPUBufferUsageFlags, words: Uint32Array): GPUBuffer {
    const size = Math.max(16, words.byteLength);
    const buffer = this.device.createBuffer({ size, usage: usage | GPUBufferUsage.COPY_DST });
    this.made.push(buffer);
    this.device.queue.writeBuffer(buffer, 0, words as Uint32Array<ArrayBuffer>);
    return buffer;
  }

  private attachment({ width, height }: Draw, format: GPUTextureFormat): GPUTexture {
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
    const texture = this.device.createTexture({ size: [width, height], format, usage });
    this.made.push(texture);
    return texture;
  }

  private pass(encoder: GPUCommandEncoder, { job: { draw }, pipeline, groups, vertices, indices, targets, depth }: Loaded): void {
    const [r, g, b, a] = draw.clear;
    const pass = encoder.beginRenderPass({
      colorAttachments: targets.map((target) => ({
        view: target.createView(), clearValue: { r, g, b, a }, loadOp: "clear", storeOp: "store",
      })),
      ...(depth && {
        depthStencilAttachment: { view: depth.createView(), depthClearValue: 1, depthLoadOp: "clear", depthStoreOp: "store" },
      }),
    });
    pass.setPipeline(pipeline);
    groups.forEach((group, at) => pass.setBindGroup(at, group));
    vertices.forEach((buffer, slot) => pass.setVertexBuffer(slot, buffer));
    pass.setIndexBuffer(indices, "uint32");
    pass.drawIndexed(draw.indices.length, draw.instances);
    pass.end();
  }

  /** Copies the targets into a buffer, whose rows must start at multiples of 256 bytes. */
  private async read(encoder: GPUCommandEncoder, { job: { draw }, targets }: Loaded): Promise<Uint8Array[]> {
    const { width, height } = draw;
    const row = width * 4;
    const pitch = Math.ceil(row / 256) * 256;
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const buffer = this.device.createBuffer({ size: pitch * height * targets.length, usage });
    targets.forEach((texture, target) => {
      const to = { buffer, offset: pitch * height * target, bytesPerRow: pitch, rowsPerImage: height };
      encoder.copyTextureToBuffer({ texture }, to, [width, height]);
    });
    this.device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const mapped = new Uint8Array(buffer.getMappedRange());
    const pixels = targets.map((_, target) => {
      const picture = new Uint8Array(row * height);
      for (let y = 0; y < height; y++) {
        const from = pitch * (height * target + y);
        picture.set(mapped.subarray(from, from + row), row * y);
      }
      return picture;
    });
    buffer.destroy();
    return pixels;
  }
}

function vertexFormat(type: string): GPUVertexFormat {
  return ({ float: "float32x4", int: "sint32x4", uint: "uint32x4" } as const)[shape(type).scalar];
}
