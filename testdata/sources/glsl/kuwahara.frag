#version 450
// Kuwahara: a painted look, from the mean of whichever quarter around a pixel varies least.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D photo;
layout(set = 0, binding = 1) uniform sampler photo_sampler;
layout(set = 0, binding = 2) uniform Brush {
    vec2 texel;
    int radius;
} brush;

struct Quarter {
    vec3 sum;
    vec3 squares;
    float count;
};

void add(inout Quarter q, vec3 c) {
    q.sum += c;
    q.squares += c * c;
    q.count += 1.0;
}

void main() {
    Quarter quarters[4];
    for (int k = 0; k < 4; k++)
        quarters[k] = Quarter(vec3(0.0), vec3(0.0), 0.0);
    int radius = clamp(brush.radius, 1, 4);
    for (int y = -radius; y <= radius; y++) {
        for (int x = -radius; x <= radius; x++) {
            vec3 c = textureLod(sampler2D(photo, photo_sampler), uv + vec2(x, y) * brush.texel, 0.0).rgb;
            int k = (x > 0 ? 1 : 0) + (y > 0 ? 2 : 0);
            add(quarters[k], c);
            if (x == 0)
                add(quarters[k + 1], c);
        }
    }
    float least = 1e10;
    vec3 best = vec3(0.0);
    for (int k = 0; k < 4; k++) {
        vec3 mean = quarters[k].sum / quarters[k].count;
        vec3 variance = abs(quarters[k].squares / quarters[k].count - mean * mean);
        float total = variance.r + variance.g + variance.b;
        if (total >= least)
            continue;
        least = total;
        best = mean;
    }
    color = vec4(best, 1.0);
}
