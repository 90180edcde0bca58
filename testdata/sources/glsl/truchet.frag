#version 450
// Truchet tiles: arcs that join at random into a maze of ribbons.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform Tiles {
    float count;
    float width;
    vec3 ribbon;
    vec3 ground;
} tiles;

uint hash(uvec2 p) {
    uint h = p.x * 374761393u + p.y * 668265263u;
    h = (h ^ (h >> 13u)) * 1274126177u;
    return h ^ (h >> 16u);
}

void main() {
    vec2 p = uv * tiles.count;
    uvec2 cell = uvec2(ivec2(floor(p)));
    vec2 f = fract(p);
    if ((hash(cell) & 1u) != 0u)
        f.x = 1.0 - f.x;
    float near = abs(length(f) - 0.5);
    float far = abs(length(f - 1.0) - 0.5);
    float d = min(near, far);
    float edge = fwidth(p.x);
    float cover = 1.0 - smoothstep(tiles.width - edge, tiles.width + edge, d);
    float shine = sqrt(clamp(1.0 - d / tiles.width, 0.0, 1.0));
    color = vec4(mix(tiles.ground, tiles.ribbon * (0.5 + 0.5 * shine), cover), 1.0);
}
