#version 450
// Height map: a plane raised by a texture, with a normal from four neighbours.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec3 normal;
layout(location = 1) out float height;
layout(location = 2) out vec2 map_uv;

layout(set = 0, binding = 0) uniform texture2D heights;
layout(set = 0, binding = 1) uniform sampler smooth_sampler;
layout(set = 0, binding = 2) uniform Land {
    mat4 mvp;
    vec3 extent;
    float texel;
} land;

float at(vec2 p) {
    return textureLod(sampler2D(heights, smooth_sampler), p, 0.0).r;
}

void main() {
    height = at(uv);
    vec2 d = vec2(land.texel, 0.0);
    float dx = at(uv + d.xy) - at(uv - d.xy);
    float dz = at(uv + d.yx) - at(uv - d.yx);
    normal = normalize(vec3(-dx * land.extent.y / land.extent.x, 2.0 * land.texel, -dz * land.extent.y / land.extent.z));
    map_uv = uv;
    gl_Position = land.mvp * vec4(vec3(uv.x, height, uv.y) * land.extent, 1.0);
}
