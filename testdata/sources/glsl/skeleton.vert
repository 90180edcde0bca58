#version 450
// Skeleton: up to four bones a vertex, as many as have weight, from a palette of 3 by 4 matrices in rows.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) in uvec4 bones;
layout(location = 4) in vec4 weights;

layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_texcoord;

layout(set = 0, binding = 0) uniform Scene {
    mat4 view_projection;
} scene;

layout(set = 0, binding = 1) uniform Palette {
    vec4 rows[120];
} palette;

vec3 transform(uint bone, vec4 v) {
    uint base = bone * 3u;
    return vec3(dot(palette.rows[base], v), dot(palette.rows[base + 1u], v), dot(palette.rows[base + 2u], v));
}

void main() {
    vec3 p = vec3(0.0);
    vec3 n = vec3(0.0);
    float total = 0.0;
    for (int i = 0; i < 4; i++) {
        float w = weights[i];
        if (w <= 0.0)
            continue;
        p += w * transform(bones[i], vec4(position, 1.0));
        n += w * transform(bones[i], vec4(normal, 0.0));
        total += w;
    }
    if (total == 0.0) {
        p = position;
        n = normal;
    } else {
        p /= total;
    }
    gl_Position = scene.view_projection * vec4(p, 1.0);
    out_normal = normalize(n);
    out_texcoord = texcoord;
}
