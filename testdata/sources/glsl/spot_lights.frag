#version 450
// Spot lights: up to six cones from an array of structs, with a budget of light for each pixel.
layout(location = 0) in vec3 v_position;
layout(location = 1) in vec3 v_normal;
layout(location = 2) in vec2 v_uv;
layout(location = 0) out vec4 color;

struct Spot {
    vec4 place_range;
    vec4 axis_cosine;
    vec4 radiance;
};

layout(set = 0, binding = 1) uniform Stage {
    Spot spots[6];
    int count;
    float budget;
} stage;

layout(set = 0, binding = 2) uniform texture2D boards;
layout(set = 0, binding = 3) uniform sampler boards_sampler;

bool shine(Spot spot, vec3 p, vec3 n, inout vec3 sum) {
    vec3 delta = spot.place_range.xyz - p;
    float far = length(delta);
    if (far > spot.place_range.w)
        return false;
    vec3 l = delta / far;
    float cosine = dot(-l, spot.axis_cosine.xyz);
    if (cosine < spot.axis_cosine.w)
        return false;
    float soft = (cosine - spot.axis_cosine.w) / (1.0 - spot.axis_cosine.w);
    float fade = 1.0 - far / spot.place_range.w;
    sum += spot.radiance.rgb * max(dot(n, l), 0.0) * soft * fade * fade;
    return true;
}

void main() {
    vec3 n = normalize(v_normal);
    vec3 sum = vec3(0.02);
    int hits = 0;
    for (int i = 0; i < 6; i++) {
        if (i >= stage.count)
            break;
        if (!shine(stage.spots[i], v_position, n, sum))
            continue;
        hits++;
        if (dot(sum, vec3(1.0)) > stage.budget)
            break;
    }
    vec3 wood = texture(sampler2D(boards, boards_sampler), v_uv).rgb;
    color = vec4(wood * sum, hits > 0 ? 1.0 : 0.9);
}
