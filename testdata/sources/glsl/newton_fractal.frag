#version 450
// Newton: which root of a polynomial each starting point runs to, and how soon.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

struct Complex {
    float re;
    float im;
};

layout(set = 0, binding = 0) uniform Plane {
    vec4 window;
    float relaxation;
} plane;

Complex mul(Complex a, Complex b) {
    return Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

Complex div(Complex a, Complex b) {
    float d = b.re * b.re + b.im * b.im;
    Complex r;
    r.re = (a.re * b.re + a.im * b.im) / d;
    r.im = (a.im * b.re - a.re * b.im) / d;
    return r;
}

int newton(inout Complex z, const vec2 roots[3]) {
    for (int n = 0; n < 40; n++) {
        Complex square = mul(z, z);
        Complex cube = mul(square, z);
        cube.re -= 1.0;
        square.re *= 3.0;
        square.im *= 3.0;
        Complex change = div(cube, square);
        z.re -= plane.relaxation * change.re;
        z.im -= plane.relaxation * change.im;
        for (int r = 0; r < 3; r++) {
            if (distance(vec2(z.re, z.im), roots[r]) < 0.001)
                return n * 3 + r;
        }
    }
    return -1;
}

void main() {
    vec2 roots[3];
    roots[0] = vec2(1.0, 0.0);
    roots[1] = vec2(-0.5, 0.8660254);
    roots[2] = vec2(-0.5, -0.8660254);
    vec2 start = mix(plane.window.xy, plane.window.zw, uv);
    Complex z = Complex(start.x, start.y);
    int code = newton(z, roots);
    if (code < 0) {
        color = vec4(0.0, 0.0, 0.0, 1.0);
        return;
    }
    vec3 c = vec3(0.1);
    c[code % 3] = 0.9;
    color = vec4(c * (1.0 - float(code / 3) / 40.0), 1.0);
}
