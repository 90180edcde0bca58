#version 450
#extension GL_EXT_nonuniform_qualifier : require
// Arrays of textures and samplers at computed indices: an index that is the same for all invocations, indices that differ, a loop, levels,
// biases, projections and fetches.
layout(set = 0, binding = 0) uniform sampler2D pictures[3];
layout(set = 0, binding = 3) uniform texture2D layers[2];
layout(set = 0, binding = 5) uniform sampler samplers[2];
layout(set = 0, binding = 7) uniform samplerCube skies[2];
layout(set = 0, binding = 9) uniform sampler2D grid[2][2];
layout(set = 0, binding = 13) uniform sampler2DShadow shadows[2];
layout(set = 1, binding = 0) uniform Chosen { int same; uvec4 more; } chosen;
layout(location = 0) in vec2 uv;
layout(location = 1) flat in int kind;
layout(location = 0) out vec4 colour;
void main() {
    vec4 sum = texture(pictures[chosen.same], uv);
    sum += texture(pictures[nonuniformEXT(kind)], uv * 2.0, 0.5);
    sum += textureProj(pictures[nonuniformEXT(kind)], vec3(uv, 2.0));
    for (int i = 0; i < 3; i++) sum += textureLod(pictures[i], uv, float(i));
    sum += texture(sampler2D(layers[nonuniformEXT(kind)], samplers[chosen.same]), uv);
    sum += texelFetch(pictures[nonuniformEXT(kind)], ivec2(uv * 4.0), 0);
    sum += texture(skies[nonuniformEXT(kind)], vec3(uv, 1.0));
    sum += texture(grid[nonuniformEXT(kind)][chosen.same], uv) + texture(grid[1][nonuniformEXT(kind)], uv);
    sum += texture(shadows[chosen.same], vec3(uv, 0.5)) + textureSize(pictures[nonuniformEXT(kind)], 0).x;
    colour = sum;
}
