#version 450
// Ocean: reflects a sky of two colours and a sun, with foam on the crests.
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in float crest;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform Ocean {
    mat4 view_projection;
    vec4 waves[5];
    vec3 eye;
    float time;
} ocean;

layout(set = 0, binding = 1) uniform Sky {
    vec3 sun;
    vec3 zenith;
    vec3 horizon;
    vec3 depths;
} sky;

vec3 sky_color(vec3 d) {
    vec3 c = mix(sky.horizon, sky.zenith, sqrt(max(d.y, 0.0)));
    float glare = max(dot(d, sky.sun), 0.0);
    if (glare > 0.999)
        return c + vec3(10.0);
    return c + vec3(1.0, 0.8, 0.5) * pow(glare, 50.0);
}

void main() {
    vec3 v = normalize(world - ocean.eye);
    vec3 n = normalize(normal);
    vec3 r = reflect(v, n);
    float fresnel = 0.02 + 0.98 * pow(clamp(1.0 + dot(v, n), 0.0, 1.0), 5.0);
    vec3 water = mix(sky.depths, sky_color(r), fresnel);
    float distance_to_eye = distance(world, ocean.eye);
    float haze = 1.0 - exp2(-distance_to_eye * 0.01);
    color = vec4(mix(mix(water, vec3(0.95), crest), sky.horizon, haze), 1.0);
}
