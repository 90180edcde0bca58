// Runs the jobs that the server sends with WebGPU, and posts the results.
//
// A job consists of a length, a JSON description of that length, and bytes that begin at the next multiple of 4. The description
// refers to these bytes as [offset, length]. A job with `workgroups` is a dispatch, and any other job is a draw.
//
// An answer is an `image`, or a text: `unsupported` if the device lacks a feature, and `broken` for any other error. The image of a
// draw contains the rows of each target, with four floats for each pixel, and then the rows of the depth, from the top. The image
// of a dispatch contains the contents of the storage buffers and then of the storage textures.

"use strict";

// Limits that are raised from their defaults to the maximum that the device supports.
const LIMITS = [
  "maxTextureDimension2D", "maxTextureDimension3D", "maxBindingsPerBindGroup", "maxSampledTexturesPerShaderStage",
  "maxSamplersPerShaderStage", "maxUniformBuffersPerShaderStage", "maxUniformBufferBindingSize", "maxBufferSize",
  "maxVertexAttributes", "maxVertexBufferArrayStride", "maxInterStageShaderVariables", "maxColorAttachments",
  "maxColorAttachmentBytesPerSample", "maxStorageBuffersPerShaderStage",
  "maxStorageTexturesPerShaderStage",
];

// Thrown if the device lacks a feature that the job needs.
class Unsupported extends Error {}

let device;
let lost; // the reason why the device is lost

async function open() {
  if (!navigator.gpu) throw new Error("this browser has no WebGPU");
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error("WebGPU has no adapter");
  const requiredLimits = {};
  for (const name of LIMITS) if (name in adapter.limits) requiredLimits[name] = adapter.limits[name];
  const requiredFeatures = ["shader-f16", "clip-distances"].filter((feature) => adapter.features.has(feature));
  const opened = await adapter.requestDevice({ requiredLimits, requiredFeatures });
  lost = undefined;
  opened.lost.then((info) => (lost = `the device was lost: ${info.reason}: ${info.message}`));
  device = opened;
  return `${adapter.info.vendor} ${adapter.info.architecture}`;
}

// Throws `Unsupported` for a job that exceeds the device's limits or needs a feature that the device lacks.
function fit(job) {
  const within = (what, count, limit) => {
    if (count > device.limits[limit]) throw new Unsupported(`${what}: ${count}, and the device has ${device.limits[limit]}`);
  };
  if (job.halves && !device.features.has("shader-f16")) throw new Unsupported("halves: the device has no shader-f16");
  if (job.clipDistances && !device.features.has("clip-distances")) throw new Unsupported("clip distances: the device has no clip-distances");
  for (const stage of ["VERTEX", "FRAGMENT", "COMPUTE"]) {
    const count = (kind) => job.bindings.filter((bound) => bound.stage === stage && bound[kind]).length;
    within("textures of a stage", count("levels"), "maxSampledTexturesPerShaderStage");
    within("uniforms of a stage", count("uniform"), "maxUniformBuffersPerShaderStage");
    within("storage buffers of a stage", count("storage"), "maxStorageBuffersPerShaderStage");
    within("storage textures of a stage", count("image"), "maxStorageTexturesPerShaderStage");
  }
  if (job.workgroups) return;
  within("bytes of all targets of a pixel", job.targets * 16, "maxColorAttachmentBytesPerSample");
  within("pixels across or down", Math.max(job.width, job.height), "maxTextureDimension2D");
  for (const { location } of job.attributes) within("an attribute's location", location + 1, "maxVertexAttributes");
  for (const location of job.varyings) within("a varying's location", location + 1, "maxInterStageShaderVariables");
}

// Compiles a module, or throws an error with all messages of the compiler.
async function compile(code) {
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  const errors = messages.filter((message) => message.type === "error");
  const lines = errors.map((error) => `${error.lineNum}:${error.linePos}: ${error.message}`);
  if (lines.length > 0) throw new Error(`the WGSL is rejected:\n${lines.join("\n")}`);
  return module;
}

function filled(usage, bytes) {
  const buffer = device.createBuffer({ size: Math.max(16, bytes.byteLength), usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, bytes);
  return buffer;
}

const VIEWS = { "2d": "2d", "3d": "3d", cube: "2d", "2d-array": "2d", "cube-array": "2d" };
const FORMATS = { float: "rgba8unorm", sint: "rgba8sint", uint: "rgba8uint", depth: "depth16unorm" };
const SAMPLERS = { float: "filtering", sint: "non-filtering", uint: "non-filtering", depth: "comparison" };

function texture(bound, at, made) {
  const [first] = bound.levels;
  const texture = device.createTexture({
    dimension: VIEWS[bound.dimension],
    size: [first.width, first.height, first.depth],
    mipLevelCount: bound.levels.length,
    format: FORMATS[bound.texel],
    usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
  });
  made.push(texture);
  bound.levels.forEach((level, mipLevel) => {
    const size = [level.width, level.height, level.depth];
    const layout = { bytesPerRow: level.width * (bound.texel === "depth" ? 2 : 4), rowsPerImage: level.height };
    device.queue.writeTexture({ texture, mipLevel }, at(level.texels), layout, size);
  });
  return texture.createView({ dimension: bound.dimension });
}

function sampler(state) {
  const filter = state.linear ? "linear" : "nearest";
  const [u, v] = [state.repeatU, state.repeatV].map((repeat) => (repeat ? "repeat" : "clamp-to-edge"));
  return device.createSampler({
    magFilter: filter,
    minFilter: filter,
    mipmapFilter: state.mip === 2 ? "linear" : "nearest",
    lodMinClamp: 0,
    lodMaxClamp: state.mip === 0 ? 0 : 32,
    addressModeU: u,
    addressModeV: v,
    addressModeW: u,
    ...(state.compares ? { compare: "less-equal" } : {}),
  });
}

function storageTexture(bound, bytes) {
  const texture = device.createTexture({
    dimension: VIEWS[bound.dimension],
    size: bound.size,
    format: bound.format,
    usage: GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC | GPUTextureUsage.COPY_DST,
  });
  const [width, height] = bound.size;
  device.queue.writeTexture({ texture }, bytes, { bytesPerRow: width * bound.texel, rowsPerImage: height }, bound.size);
  return texture;
}

// Returns the bind group layout and the bind group of the job's bindings, and the storage buffers and storage textures.
function bind(job, at, made) {
  const entries = [];
  const resources = [];
  const stored = [];
  for (const bound of job.bindings) {
    const { binding } = bound;
    const visibility = GPUShaderStage[bound.stage];
    if (bound.levels) {
      entries.push({ binding, visibility, texture: { sampleType: bound.texel, viewDimension: bound.dimension } });
      resources.push({ binding, resource: texture(bound, at, made) });
      entries.push({ binding: binding + 1, visibility, sampler: { type: SAMPLERS[bound.texel] } });
      resources.push({ binding: binding + 1, resource: sampler(bound.sampler) });
    } else if (bound.image) {
      const image = storageTexture(bound, at(bound.image));
      made.push(image);
      const [width, height, depth] = bound.size;
      stored.push({ image, bound, row: width * bound.texel, rows: height * depth });
      const access = bound.written ? "write-only" : "read-only";
      entries.push({ binding, visibility, storageTexture: { access, format: bound.format, viewDimension: bound.dimension } });
      resources.push({ binding, resource: image.createView({ dimension: bound.dimension }) });
    } else if (bound.storage) {
      const buffer = filled(GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, at(bound.storage));
      made.push(buffer);
      stored.push({ buffer, row: bound.storage[1], rows: 1 });
      entries.push({ binding, visibility, buffer: { type: bound.written ? "storage" : "read-only-storage" } });
      resources.push({ binding, resource: { buffer, size: bound.storage[1] } });
    } else {
      const buffer = filled(GPUBufferUsage.UNIFORM, at(bound.uniform));
      made.push(buffer);
      entries.push({ binding, visibility, buffer: { type: "uniform" } });
      resources.push({ binding, resource: { buffer } });
    }
  }
  const layout = device.createBindGroupLayout({ entries });
  return { layout, group: device.createBindGroup({ layout, entries: resources }), stored };
}

async function draw(job, at, made) {
  fit(job);
  const module = await compile(job.wgsl);
  const { layout, group } = bind(job, at, made);
  const pipeline = await device.createRenderPipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    vertex: {
      module,
      buffers: job.attributes.length === 0 ? [] : [{
        arrayStride: job.stride,
        attributes: job.attributes.map(({ location, format, offset }) => ({ shaderLocation: location, format, offset })),
      }],
    },
    primitive: { topology: job.topology, frontFace: "cw", cullMode: job.cull },
    depthStencil: job.depth
      ? { format: "depth32float", depthCompare: job.depth.compare, depthWriteEnabled: job.depth.write }
      : undefined,
    fragment: {
      module,
      targets: job.written.map((written, target) => ({ format: job.formats[target], writeMask: written ? GPUColorWrite.ALL : 0 })),
    },
  });

  const attachment = (format) => {
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
    const texture = device.createTexture({ size: [job.width, job.height], format, usage });
    made.push(texture);
    return texture;
  };
  const targets = job.formats.map(attachment);
  const depth = job.depth ? attachment("depth32float") : undefined;
  const vertices = filled(GPUBufferUsage.VERTEX, at(job.vertices));
  const indices = filled(GPUBufferUsage.INDEX, at(job.indices));
  made.push(vertices, indices);

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass({
    colorAttachments: targets.map((target, number) => ({
      view: target.createView(), clearValue: job.clears[number], loadOp: "clear", storeOp: "store",
    })),
    depthStencilAttachment: depth
      ? { view: depth.createView(), depthClearValue: 1, depthLoadOp: "clear", depthStoreOp: "store" }
      : undefined,
  });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  if (job.attributes.length > 0) pass.setVertexBuffer(0, vertices);
  pass.setIndexBuffer(indices, "uint32");
  pass.drawIndexed(job.count, job.instances);
  pass.end();

  const rows = job.height;
  const planes = targets.map((texture) => ({ texture, row: job.width * 16, rows }));
  if (depth && job.depth.wanted) planes.push({ texture: depth, row: job.width * 4, rows });
  const size = arrange(planes);
  const buffer = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  made.push(buffer);
  for (const { texture, offset, pitch } of planes) {
    const to = { buffer, offset, bytesPerRow: pitch, rowsPerImage: job.height };
    encoder.copyTextureToBuffer({ texture }, to, [job.width, job.height]);
  }
  device.queue.submit([encoder.finish()]);
  return tight(await read(buffer), planes);
}

// Reads the bytes of a buffer that can be mapped.
async function read(buffer) {
  await buffer.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(buffer.getMappedRange()).slice();
  buffer.unmap();
  return bytes;
}

async function dispatch(job, at, made) {
  fit(job);
  const module = await compile(job.wgsl);
  const { layout, group, stored } = bind(job, at, made);
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module },
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(...job.workgroups);
  pass.end();
  const size = arrange(stored);
  const back = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  made.push(back);
  for (const { buffer, image, bound, row, pitch, offset } of stored) {
    if (image) {
      const to = { buffer: back, offset, bytesPerRow: pitch, rowsPerImage: bound.size[1] };
      encoder.copyTextureToBuffer({ texture: image }, to, bound.size);
    } else {
      encoder.copyBufferToBuffer(buffer, 0, back, offset, row);
    }
  }
  device.queue.submit([encoder.finish()]);
  return tight(await read(back), stored);
}

// Assigns each part an offset in a buffer. WebGPU requires the rows of a copied texture to start at multiples of 256 bytes.
// Returns the size of the buffer.
function arrange(parts) {
  let size = 0;
  for (const part of parts) {
    part.pitch = Math.ceil(part.row / 256) * 256;
    part.offset = size;
    size += part.pitch * part.rows;
  }
  return size;
}

// Returns the rows of several parts, consecutively and without padding.
function tight(bytes, parts) {
  const all = new Uint8Array(parts.reduce((sum, { row, rows }) => sum + row * rows, 0));
  let to = 0;
  for (const { row, rows, pitch, offset } of parts) {
    for (let y = 0; y < rows; y++, to += row) {
      const from = offset + y * pitch;
      all.set(bytes.subarray(from, from + row), to);
    }
  }
  return all;
}

// Runs a job. If the device reports errors during the job, the answer contains the errors instead of the results.
async function answer(job, at) {
  if (!device || lost) await open();
  const scopes = ["validation", "out-of-memory", "internal"];
  const made = [];
  const errors = [];
  let image;
  let unsupported = false;
  for (const scope of scopes) device.pushErrorScope(scope);
  try {
    image = await (job.workgroups ? dispatch : draw)(job, at, made);
  } catch (error) {
    unsupported = error instanceof Unsupported;
    errors.push(error.message);
  }
  for (const _ of scopes) {
    const error = await device.popErrorScope().catch((error) => error);
    if (error && !errors.includes(error.message)) errors.push(error.message);
  }
  if (lost) errors.push(lost);
  for (const thing of made) thing.destroy();
  if (errors.length > 0) return { kind: unsupported ? "unsupported" : "broken", body: errors.join("\n") };
  return { kind: "image", body: image };
}

async function post(path, body) {
  await fetch(path, { method: "POST", body });
}

async function work() {
  for (;;) {
    const response = await fetch("/job");
    if (response.status === 204) continue; // no job yet
    const bytes = await response.arrayBuffer();
    const length = new DataView(bytes).getUint32(0, true);
    const job = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    const start = Math.ceil((4 + length) / 4) * 4;
    const at = ([offset, length]) => new Uint8Array(bytes, start + offset, length);
    const { kind, body } = await answer(job, at).catch((error) => ({ kind: "broken", body: String(error) }));
    await post(`/answer/${job.number}/${kind}`, body);
  }
}

open()
  .then((name) => post("/ready/yes", `${name}, ${navigator.userAgent}`))
  .catch((error) => post("/ready/no", String(error)))
  .then(work)
  .catch(() => window.close()); // the server is gone, so this page has nothing left to do
