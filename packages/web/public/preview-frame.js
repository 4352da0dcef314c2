// Draws in a frame what a model wrote. The frame has no origin, and its policy lets no script run but ours. What is drawn is
// cleaned all the same: links and hints such as dns-prefetch would reach the network, and no policy forbids them.

// Colours of the drawing's ground, for the dark and the light theme.
const GROUNDS = { dark: "#1b1d22", light: "#ffffff" };
// Attributes that hold addresses.
const ADDRESSES = [
  "href",
  "xlink:href",
  "src",
  "srcset",
  "poster",
  "action",
  "formaction",
  "background",
  "data",
  "ping",
];
// Addresses within the drawing, and pictures in it. All others are removed.
const HARMLESS_ADDRESS = /^\s*(#|data:image\/(png|jpeg|gif|webp);base64,)/i;
const REFUSED_TAGS = ["form", "link", "meta", "base", "iframe", "object", "embed"];
const MAX_MERMAID_CHARACTERS = 50_000;

const loading = new Map();

// Loads a script once. Scripts of other sites are refused by the policy.
function load(address) {
  const known = loading.get(address);
  if (known) return known;
  const loaded = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = () => reject(new Error("The library cannot be loaded."));
    document.head.append(script);
  });
  loading.set(address, loaded);
  return loaded;
}

function clean(text, options) {
  const purify = globalThis.DOMPurify;
  purify.removeAllHooks();
  purify.addHook("uponSanitizeAttribute", (_, attribute) => {
    const { attrName, attrValue } = attribute;
    if (ADDRESSES.includes(attrName) && !HARMLESS_ADDRESS.test(attrValue)) attribute.keepAttr = false;
  });
  return purify.sanitize(text, { FORBID_TAGS: REFUSED_TAGS, RETURN_DOM: true, ...options });
}

// Shows a page: its body, and the styles of its head.
function drawHtml(text) {
  const page = clean(text, { WHOLE_DOCUMENT: true });
  const body = page.querySelector("body");
  const styles = [...page.querySelectorAll("head style")];
  for (const { name, value } of body?.attributes ?? []) document.body.setAttribute(name, value);
  document.body.replaceChildren(...styles, ...(body?.childNodes ?? []));
}

// Diagrams have some of their labels in HTML.
const SVG_OPTIONS = {
  USE_PROFILES: { svg: true, svgFilters: true, html: true },
  ADD_TAGS: ["style", "foreignObject"],
  HTML_INTEGRATION_POINTS: { foreignobject: true },
};

function drawSvg(text) {
  const drawing = clean(text, SVG_OPTIONS);
  const svg = drawing.querySelector("svg");
  if (svg === null) throw new Error("There is no drawing in it.");
  // Diagrams say how wide they are at most.
  svg.style.maxWidth ||= "100%";
  svg.style.height = "auto";
  document.body.replaceChildren(svg);
}

async function drawMermaid(text, dark) {
  globalThis.mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: dark ? "dark" : "default",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: MAX_MERMAID_CHARACTERS,
    suppressErrorRendering: true,
  });
  const { svg } = await globalThis.mermaid.render("drawing", text);
  drawSvg(svg);
}

// Draws, and returns the height in pixels that the drawing needs.
async function draw({ kind, text, dark, libraries }) {
  // Pages of models are written for a white ground.
  const isDark = dark && kind !== "html";
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  document.documentElement.style.background = isDark ? GROUNDS.dark : GROUNDS.light;
  for (const library of libraries) await load(library);
  if (kind === "html") drawHtml(text);
  else if (kind === "svg") drawSvg(text);
  else await drawMermaid(text, isDark);
  return document.documentElement.scrollHeight;
}

addEventListener("message", async ({ data, source }) => {
  if (source !== parent) return;
  try {
    parent.postMessage({ preview: "drawn", height: await draw(data) }, "*");
  } catch (error) {
    parent.postMessage({ preview: "failed", message: error instanceof Error ? error.message : "" }, "*");
  }
});
parent.postMessage({ preview: "ready" }, "*");
