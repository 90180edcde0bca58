// Draws in WebGL 2 with GLSL ES 3.00 in the layout `webgl2` (docs/webgl.md).

import type { Constant, Draw } from "agalc/executor";
import {
  type ConstantsResource, type Job, type Member, type Sampler, type TextureResource,
  attributes, block, resources, samplerOf, shape, texels, textureOf, writtenTargets,
} from "./interface.ts";

/** The objects that belong to a job, and are deleted with it. */
interface Loaded {
  job: Job;
  program: WebGLProgram;
  vertices: WebGLVertexArrayObject;
  framebuffer: WebGLFramebuffer;
  remove(): void;
}

export class WebGl {
  private loaded: Loaded | null = null;

  private constructor(private readonly gl: WebGL2RenderingContext) {}

  /** @throws if there is no WebGL 2 */
  static open(): WebGl {
    const canvas = new OffscreenCanvas(1, 1);
    const gl = canvas.getContext("webgl2", { antialias: false }) as WebGL2RenderingContext | null;
    if (!gl) throw new Error("This browser has no WebGL 2.");
    return new WebGl(gl);
  }

  get isLost(): boolean {
    return this.gl.isContextLost();
  }

  /** Compiles the shaders and uploads everything but the constants. */
  load(job: Job): void {
    const { gl } = this;
    this.loaded?.remove();
    this.loaded = null;
    const removals: (() => void)[] = [];
    const remove = () => removals.forEach((removal) => removal());
    try {
      const program = this.link(job.texts);
      removals.push(() => gl.deleteProgram(program));
      gl.useProgram(program);
      const vertices = this.mesh(job, removals);
      this.textures(job, program, removals);
      const framebuffer = this.targets(job.draw, removals);
      this.loaded = { job, program, vertices, framebuffer, remove };
    } catch (error) {
      remove();
      throw error;
    }
  }

  /** Draws, and returns the pixels of each target, rows from the top. */
  render(constants: readonly Constant[]): Uint8Array[] {
    const { gl, loaded } = this;
    if (!loaded) throw new Error("nothing is loaded");
    const { draw, reflection } = loaded.job;
    gl.useProgram(loaded.program);
    for (const resource of resources(reflection)) {
      if (resource.kind === "constants") this.uniforms(loaded.program, resource, block(resource, draw, constants));
    }
    this.clear(loaded);
    this.state(draw);
    const written = writtenTargets(reflection);
    // A target that the program does not write must not be among the draw buffers.
    gl.drawBuffers(places(draw).map((place, target) => (written.has(target) ? place : gl.NONE)));
    gl.bindVertexArray(loaded.vertices);
    const topology = draw.topology === "points" ? gl.POINTS : gl.TRIANGLES;
    gl.drawElementsInstanced(topology, draw.indices.length, gl.UNSIGNED_INT, 0, draw.instances);
    const pixels = places(draw).map((place) => this.read(place, draw));
    const error = gl.getError();
    if (error !== gl.NO_ERROR) throw new Error(`WebGL reports error ${error}`);
    return pixels;
  }

  private link(texts: readonly string[]): WebGLProgram {
    const { gl } = this;
    const program = gl.createProgram();
    const stages = [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER];
    stages.forEach((stage, at) => {
      const shader = gl.createShader(stage);
      if (!shader) throw new Error("the WebGL context is lost");
      gl.shaderSource(shader, texts[at] ?? "");
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "not compiled");
      gl.attachShader(program, shader);
      gl.deleteShader(shader);
    });
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "not linked");
    return program;
  }

  private mesh({ draw, reflection }: Job, removals: (() => void)[]): WebGLVertexArrayObject {
    const { gl } = this;
    const vertices = gl.createVertexArray();
    removals.push(() => gl.deleteVertexArray(vertices));
    gl.bindVertexArray(vertices);
    const upload = (target: GLenum, words: Uint32Array) => {
      const buffer = gl.createBuffer();
      removals.push(() => gl.deleteBuffer(buffer));
      gl.bindBuffer(target, buffer);
      gl.bufferData(target, words, gl.STATIC_DRAW);
    };
    for (const { location, type } of attributes(reflection)) {
      const given = draw.attributes.find((attribute) => attribute.location === location);
      if (!given) continue;
      upload(gl.ARRAY_BUFFER, given.words);
      gl.enableVertexAttribArray(location);
      const { scalar } = shape(type);
      if (scalar === "float") gl.vertexAttribPointer(location, 4, gl.FLOAT, false, 0, 0);
      else gl.vertexAttribIPointer(location, 4, scalar === "int" ? gl.INT : gl.UNSIGNED_INT, 0, 0);
    }
    upload(gl.ELEMENT_ARRAY_BUFFER, draw.indices);
    gl.bindVertexArray(null);
    return vertices;
  }

  private textures({ draw, reflection }: Job, program: WebGLProgram, removals: (() => void)[]): void {
    const { gl } = this;
    const all = resources(reflection).filter((resource) => resource.kind === "texture");
    all.forEach((resource, unit) => {
      const texture = gl.createTexture();
      removals.push(() => gl.deleteTexture(texture));
      gl.activeTexture(gl.TEXTURE0 + unit);
      this.upload(texture, textureOf(draw, resource), resource, samplerOf(reflection, resource));
      gl.uniform1i(gl.getUniformLocation(program, resource.name), unit);
    });
  }

  private upload(texture: WebGLTexture, { levels }: Draw["textures"][number], { dimension }: TextureResource, sampler: Sampler): void {
    const { gl } = this;
    const target = { "2d": gl.TEXTURE_2D, "3d": gl.TEXTURE_3D, cube: gl.TEXTURE_CUBE_MAP }[dimension];
    const format = [gl.RGBA, gl.UNSIGNED_BYTE] as const;
    gl.bindTexture(target, texture);
    levels.forEach(({ width, height, depth, rgba }, level) => {
      const bytes = texels(rgba);
      if (dimension === "3d") gl.texImage3D(target, level, gl.RGBA8, width, height, depth, 0, ...format, bytes);
      else if (dimension === "2d") gl.texImage2D(target, level, gl.RGBA8, width, height, 0, ...format, bytes);
      else {
        const size = width * height * 4;
        for (let face = 0; face < 6; face++) {
          const of = bytes.subarray(face * size, (face + 1) * size);
          gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, level, gl.RGBA8, width, height, 0, ...format, of);
        }
      }
    });
    gl.texParameteri(target, gl.TEXTURE_MAX_LEVEL, levels.length - 1);
    // Anisotropic filters are replaced by linear ones, as in the executor.
    const { GL_TEXTURE_MAX_ANISOTROPY: _, ...parameters } = sampler.gl;
    for (const [parameter, value] of Object.entries(parameters)) {
      gl.texParameteri(target, this.named(parameter), this.named(String(value)));
    }
  }

  /** A constant of OpenGL; its name in WebGL has no prefix. */
  private named(name: string): GLenum {
    return this.gl[name.replace("GL_", "") as "LINEAR"];
  }

  private targets(draw: Draw, removals: (() => void)[]): WebGLFramebuffer {
    const { gl } = this;
    const framebuffer = gl.createFramebuffer();
    removals.push(() => gl.deleteFramebuffer(framebuffer));
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const attach = (place: GLenum, format: GLenum) => {
      const buffer = gl.createRenderbuffer();
      removals.push(() => gl.deleteRenderbuffer(buffer));
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, draw.width, draw.height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    };
    for (const place of places(draw)) attach(place, gl.RGBA8);
    attach(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24);
    return framebuffer;
  }

  private uniforms(program: WebGLProgram, { members }: ConstantsResource, words: Uint32Array<ArrayBuffer>): void {
    for (const member of members) this.uniform(this.gl.getUniformLocation(program, member.path), member, words);
  }

  /** Sets a plain uniform, whose values have no padding. */
  private uniform(location: WebGLUniformLocation | null, member: Member, words: Uint32Array<ArrayBuffer>): void {
    const { gl } = this;
    const { scalar, columns, rows, length, isMatrix } = shape(member.type);
    const count = columns * length;
    const kind = { float: Float32Array, int: Int32Array, uint: Uint32Array }[scalar];
    const padded = new kind(words.buffer);
    const values = new kind(count * rows);
    for (let at = 0; at < count; at++) {
      const start = member.offset / 4 + 4 * at;
      values.set(padded.subarray(start, start + rows), at * rows);
    }
    if (isMatrix) {
      const sides = columns === rows ? `${rows}` : `${columns}x${rows}`;
      gl[`uniformMatrix${sides}fv` as "uniformMatrix4fv"](location, false, values as Float32Array);
    } else {
      const letters = { float: "fv", int: "iv", uint: "uiv" }[scalar];
      gl[`uniform${rows}${letters}` as "uniform4fv"](location, values as Float32Array);
    }
  }

  private clear({ framebuffer, job: { draw } }: Loaded): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, draw.width, draw.height);
    gl.drawBuffers(places(draw));
    places(draw).forEach((_, target) => gl.clearBufferfv(gl.COLOR, target, draw.clear));
    gl.depthMask(true);
    gl.clearBufferfv(gl.DEPTH, 0, [1]);
  }

  private state({ cull, depth }: Draw): void {
    const { gl } = this;
    gl.frontFace(gl.CW); // as in Stage3D
    if (cull === "none") gl.disable(gl.CULL_FACE);
    else {
      gl.enable(gl.CULL_FACE);
      gl.cullFace(cull === "back" ? gl.BACK : gl.FRONT);
    }
    if (depth === null) gl.disable(gl.DEPTH_TEST);
    else {
      gl.enable(gl.DEPTH_TEST);
      gl.depthFunc({ always: gl.ALWAYS, less: gl.LESS, "less-equal": gl.LEQUAL }[depth]);
    }
  }

  private read(place: GLenum, { width, height }: Draw): Uint8Array {
    const { gl } = this;
    const pixels = new Uint8Array(width * height * 4);
    gl.readBuffer(place);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return fromTop(pixels, width * 4);
  }
}

function places({ targets }: Draw): GLenum[] {
  return Array.from({ length: targets }, (_, target) => WebGL2RenderingContext.COLOR_ATTACHMENT0 + target);
}

/** Reverses the order of rows, which come from the bottom. */
function fromTop(pixels: Uint8Array, row: number): Uint8Array {
  const turned = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += row) turned.set(pixels.subarray(at, at + row), pixels.length - row - at);
  return turned;
}
