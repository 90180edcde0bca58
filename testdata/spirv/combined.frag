#version 450
// A texture with its sampler in one variable, an array texture, and a comparison.
layout(binding = 0) uniform sampler2D colours;
layout(binding = 1) uniform sampler2DArray layers;
layout(binding = 2) uniform sampler2DShadow shadow;
layout(location = 0) in vec4 place;
layout(location = 0) out vec4 colour;
void main() {
    float lit = texture(shadow, place.xyz) * textureLod(shadow, place.xyz, 0.0);
    colour = lit * texture(layers, place.xyw) + textureOffset(colours, place.xy, ivec2(1, -2)) + texelFetch(colours, ivec2(place.xy), 1);
}
