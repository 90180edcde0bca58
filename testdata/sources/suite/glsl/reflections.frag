#version 450
// reflect, refract and faceforward.
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Surface { float ratio; };

void main() {
    vec3 normal = normalize(abs(b) + 0.5), incident = normalize(-abs(a) - 0.25);
    vec3 mirrored = reflect(incident, normal);
    vec3 bent = refract(incident, normal, clamp(ratio, 0.25, 0.9));
    vec3 facing = faceforward(normal, incident, b + 2.0);
    colour = vec4(mirrored + bent * 0.5 + facing * 0.25, mirrored.x);
}
