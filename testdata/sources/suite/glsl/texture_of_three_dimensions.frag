#version 450
// A three-dimensional texture.
layout(location = 0) in vec3 place;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler3D cloud;

void main() {
    vec4 sum = texture(cloud, place) + textureLod(cloud, place.zxy, 0.0) * 0.5;
    colour = sum + texelFetch(cloud, ivec3(clamp(place, 0.0, 1.0) * 1.5), 0) * 0.25 + textureOffset(cloud, place, ivec3(1, 0, -1));
}
