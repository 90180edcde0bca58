// Draws with a translated pair in WebGL 2. Every name comes from the shader's description.

// Compiles both stages and links them.
export function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [stage, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(stage);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

// Sets plain uniforms, such as `uniform vec4 vc[5]`: { path: "vc", set: "uniform4fv", values: a Float32Array of 20 numbers }.
export function setUniforms(gl, program, uniforms) {
  for (const { path, set, values } of uniforms) {
    const location = gl.getUniformLocation(program, path);
    if (!location) throw new Error(`the program has no uniform ${path}`);
    if (set.startsWith("uniformMatrix")) gl[set](location, false, values);
    else gl[set](location, values);
  }
}

// Sets uniform blocks. Each block gets its own binding point, because initially all blocks use point 0.
export function setBlocks(gl, program, blocks) {
  blocks.forEach(({ block, values }, point) => {
    const index = gl.getUniformBlockIndex(program, block);
    if (index === gl.INVALID_INDEX) throw new Error(`the program has no block ${block}`);
    gl.uniformBlockBinding(program, index, point);
    const buffer = gl.createBuffer();
    gl.bindBufferBase(gl.UNIFORM_BUFFER, point, buffer);
    gl.bufferData(gl.UNIFORM_BUFFER, values, gl.STATIC_DRAW);
  });
}

// Sets the sampler state of the bound texture. The reflection's names are OpenGL's, and WebGL's names lack the prefix `GL_`.
export function setSampler(gl, { GL_TEXTURE_MAX_ANISOTROPY: anisotropy, ...parameters }) {
  for (const [parameter, value] of Object.entries(parameters)) {
    gl.texParameteri(gl.TEXTURE_2D, gl[parameter.replace("GL_", "")], gl[value.replace("GL_", "")]);
  }
  const extension = anisotropy > 1 && gl.getExtension("EXT_texture_filter_anisotropic");
  if (extension) gl.texParameterf(gl.TEXTURE_2D, extension.TEXTURE_MAX_ANISOTROPY_EXT, anisotropy);
}

// Sets the textures. The unit of a texture is its position in the list.
export function setTextures(gl, program, textures) {
  textures.forEach(({ name, levels, sampler }, unit) => {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    levels.forEach(({ width, height, texels }, level) => {
      gl.texImage2D(gl.TEXTURE_2D, level, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    });
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, levels.length - 1);
    setSampler(gl, sampler);
    const location = gl.getUniformLocation(program, name);
    if (!location) throw new Error(`the program has no texture ${name}`);
    gl.uniform1i(location, unit);
  });
}

// Uploads the mesh: one buffer in which the attributes of each vertex are consecutive, and 32-bit indices.
export function setMesh(gl, mesh) {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, gl.STATIC_DRAW);
  for (const { location, width, offset } of mesh.attributes) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, width, gl.FLOAT, false, mesh.stride, offset);
  }
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
}

// Draws into the bound framebuffer.
export function draw(gl, scene) {
  const program = link(gl, scene.vertex, scene.fragment);
  gl.useProgram(program);
  setUniforms(gl, program, scene.uniforms);
  setBlocks(gl, program, scene.blocks);
  setTextures(gl, program, scene.textures);
  setMesh(gl, scene.mesh);
  gl.frontFace(gl.CW); // as in Stage3D
  if (scene.cull) {
    gl.enable(gl.CULL_FACE);
    gl.cullFace(gl[scene.cull]);
  }
  if (scene.depth) {
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl[scene.depth]);
  }
  gl.drawElementsInstanced(gl.TRIANGLES, scene.mesh.count, gl.UNSIGNED_INT, 0, scene.instances);
}
