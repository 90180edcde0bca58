// Draws the scenes that the server sends, and posts the pictures.
//
// A job consists of a length, a JSON description of that length, and bytes that begin at the next multiple of 4. The description
// refers to these bytes as [offset, length]. An answer is an `image` (the rows of each target from the bottom, four bytes for
// each pixel), or `broken` with the text of an error.

import { draw } from "/draw.js";

// Opens a WebGL 2 context of the given size.
function open(width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const gl = canvas.getContext("webgl2", { antialias: false });
  if (!gl) throw new Error("this browser has no WebGL 2");
  return gl;
}

function targets(gl, scene) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const attach = (place, format) => {
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, scene.width, scene.height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    return place;
  };
  const places = Array.from({ length: scene.targets }, (_, target) => attach(gl.COLOR_ATTACHMENT0 + target, gl.RGBA8));
  attach(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24);
  gl.drawBuffers(places);
  gl.viewport(0, 0, scene.width, scene.height);
  places.forEach((_, target) => gl.clearBufferfv(gl.COLOR, target, scene.clear));
  gl.clearBufferfv(gl.DEPTH, 0, [1]);
  return places;
}

function picture(scene) {
  const gl = open(scene.width, scene.height);
  const places = targets(gl, scene);
  draw(gl, scene);
  const size = scene.width * scene.height * 4;
  const image = new Uint8Array(size * places.length);
  places.forEach((place, target) => {
    gl.readBuffer(place);
    gl.readPixels(0, 0, scene.width, scene.height, gl.RGBA, gl.UNSIGNED_BYTE, image, size * target);
  });
  const error = gl.getError();
  if (error !== gl.NO_ERROR) throw new Error(`WebGL's error ${error}`);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return image;
}

// Replaces each [offset, length] in the job with an array of the bytes at that position.
function resolve(job, bytes, start) {
  const array = ([offset, length], kind) => new kind(bytes, start + offset, length / kind.BYTES_PER_ELEMENT);
  for (const uniform of job.uniforms) uniform.values = array(uniform.values, Float32Array);
  for (const block of job.blocks) block.values = array(block.values, Uint8Array);
  for (const texture of job.textures) {
    for (const level of texture.levels) level.texels = array(level.texels, Uint8Array);
  }
  job.mesh.vertices = array(job.mesh.vertices, Uint8Array);
  job.mesh.indices = array(job.mesh.indices, Uint32Array);
}

async function work() {
  for (;;) {
    const response = await fetch("/job");
    if (response.status === 204) continue; // no job yet
    const bytes = await response.arrayBuffer();
    const length = new DataView(bytes).getUint32(0, true);
    const job = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    let [kind, body] = ["image", undefined];
    try {
      resolve(job, bytes, Math.ceil((4 + length) / 4) * 4);
      body = picture(job);
    } catch (error) {
      [kind, body] = ["broken", String(error)];
    }
    await fetch(`/answer/${job.number}/${kind}`, { method: "POST", body });
  }
}

function device() {
  const gl = open(1, 1);
  const about = gl.getExtension("WEBGL_debug_renderer_info");
  return about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER);
}

try {
  await fetch("/ready/yes", { method: "POST", body: `${device()}, ${navigator.userAgent}` });
} catch (error) {
  await fetch("/ready/no", { method: "POST", body: String(error) });
}
await work().catch(() => window.close()); // the server is gone, so this page has nothing left to do
