// Runs before the script of examples/webgl.html. After a draw, reads the pixels and posts them, with the bottom row first.
const drawElements = WebGL2RenderingContext.prototype.drawElements;
const post = (to, body) => fetch(to, { method: "POST", body });
addEventListener("unhandledrejection", (event) => post("/ready/no", String(event.reason)));
addEventListener("error", (event) => post("/ready/no", event.message));
WebGL2RenderingContext.prototype.drawElements = function (...args) {
  drawElements.apply(this, args);
  const { width, height } = this.canvas;
  const pixels = new Uint8Array(4 * width * height);
  this.readPixels(0, 0, width, height, this.RGBA, this.UNSIGNED_BYTE, pixels);
  (async () => {
    await post("/ready/yes", navigator.userAgent);
    while ((await fetch("/job")).status === 204); // no job yet
    await post("/answer/1/image", pixels);
  })();
};
