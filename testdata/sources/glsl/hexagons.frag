#version 450
// Hexagons: a mosaic of a picture in six-sided tiles with grouted joints.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D picture;
layout(set = 0, binding = 1) uniform sampler picture_sampler;
layout(set = 0, binding = 2) uniform Mosaic {
    vec2 scale;
    float joint;
    vec4 grout;
};

const vec2 RATIO = vec2(1.0, 1.7320508);

void nearest(vec2 p, out vec2 center, out vec2 inside) {
    vec2 a = floor(p / RATIO) + 0.5;
    vec2 b = floor((p - RATIO * 0.5) / RATIO) + 1.0;
    vec2 to_a = p - a * RATIO;
    vec2 to_b = p - b * RATIO;
    if (dot(to_a, to_a) < dot(to_b, to_b)) {
        center = a * RATIO;
        inside = to_a;
        return;
    }
    center = b * RATIO;
    inside = to_b;
}

float border(vec2 p) {
    p = abs(p);
    return 0.5 - max(dot(p, RATIO * 0.5), p.x);
}

void main() {
    vec2 center, inside;
    nearest(uv * scale, center, inside);
    vec4 tile = texture(sampler2D(picture, picture_sampler), center / scale);
    float d = border(inside);
    float bevel = clamp(d * 6.0, 0.0, 1.0);
    tile.rgb *= 0.8 + 0.2 * bevel;
    color = d < joint ? grout : tile;
}
