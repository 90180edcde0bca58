#version 450
// Functions with structures and arrays as parameters and results.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
struct Ray { vec3 origin; vec3 direction; };

Ray moved(Ray ray, float by) {
    ray.origin += ray.direction * by;
    return ray;
}
float[3] parts(vec3 v) { return float[3](v.x, v.y, v.z); }
float total(float list[3]) { return list[0] + list[1] * 2.0 + list[2] * 4.0; }

void main() {
    Ray ray = moved(Ray(a.xyz, a.wzy), 0.5);
    ray = moved(ray, a.x);
    colour = vec4(ray.origin, total(parts(ray.direction)) * 0.125);
}
