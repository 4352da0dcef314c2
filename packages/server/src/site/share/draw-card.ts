import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import satori, { type SatoriOptions } from "satori";
import { CARD_SIZE, type CardFact, type ShareCard } from "./share-card.ts";

type Node = {
  type: string;
  props: { style?: Record<string, string | number>; children?: unknown; [name: string]: unknown };
};

/** The site's design tokens of the light theme, in a notation that satori supports. */
const COLOR = { paper: "#fbfaf7", ink: "#161f30", dim: "#646c7b", line: "#dde0e5", accent: "#1450a9" };
/** Each font has a second one for rarer letters, which satori treats as a separate font. */
const SERIF = "newsreader, newsreader-ext";
const SANS = "hanken-grotesk, hanken-grotesk-ext";
const MAX_BARBS = 8;
const MIN_BARBS = 4;
/** Maximum number of characters by font size; longer titles are smaller. */
const TITLE_SIZES: readonly (readonly [maxLength: number, size: number])[] = [
  [16, 104],
  [26, 84],
  [44, 68],
  [80, 54],
];
const MIN_TITLE_SIZE = 44;

/** Renders a share image as PNG. */
export async function drawCard(card: ShareCard, productName: string): Promise<Uint8Array> {
  const svg = await satori(createLayout(card, productName) as never, { ...CARD_SIZE, fonts: fonts() });
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}

let loadedFonts: SatoriOptions["fonts"] | undefined;

function fonts(): SatoriOptions["fonts"] {
  const font = (slug: string, weight: 400 | 500 | 600) =>
    (["latin", "latin-ext"] as const).map((subset) => ({
      name: subset === "latin" ? slug : `${slug}-ext`,
      weight,
      style: "normal" as const,
      data: readFileSync(
        fileURLToPath(import.meta.resolve(`@fontsource/${slug}/files/${slug}-${subset}-${weight}-normal.woff`)),
      ),
    }));
  loadedFonts ??= [...font("newsreader", 500), ...font("hanken-grotesk", 400), ...font("hanken-grotesk", 600)];
  return loadedFonts;
}

const createBox = (style: Record<string, string | number>, ...children: unknown[]): Node => ({
  type: "div",
  props: { style: { display: "flex", ...style }, children: children.filter((child) => child !== null) },
});

function createLayout({ kind, owner, title, text, facts }: ShareCard, productName: string): Node {
  return createBox(
    {
      ...CARD_SIZE,
      boxSizing: "border-box",
      flexDirection: "column",
      padding: "60px 72px 56px",
      backgroundColor: COLOR.paper,
      color: COLOR.ink,
      fontFamily: SANS,
    },
    createBox(
      { alignItems: "center", justifyContent: "space-between", fontSize: 30 },
      createBox({ alignItems: "center", gap: 14, fontWeight: 600 }, createFeatherIcon(44), productName),
      createBox({ color: COLOR.dim }, kind),
    ),
    createBox(
      { flexDirection: "column", flexGrow: 1, justifyContent: "center", fontFamily: SERIF, fontWeight: 500 },
      owner === null
        ? null
        : createBox({ fontSize: ownerSize(owner), color: COLOR.dim, marginBottom: 4, wordBreak: "break-word" }, owner),
      createBox(
        { fontSize: titleSize(title), lineHeight: 1.08, letterSpacing: "-0.015em", wordBreak: "break-word" },
        title,
      ),
      text === null
        ? null
        : createBox(
            { marginTop: 24, fontFamily: SANS, fontWeight: 400, fontSize: 32, lineHeight: 1.35, color: COLOR.dim },
            text,
          ),
    ),
    facts.length === 0
      ? createBox({ borderTop: `2px solid ${COLOR.line}` })
      : createBox({ borderTop: `2px solid ${COLOR.line}`, paddingTop: 28, gap: 48 }, ...facts.map(createFactBox)),
  );
}

function createFactBox({ label, value, units }: CardFact): Node {
  return createBox(
    { flexDirection: "column", gap: 6, flexShrink: 0, whiteSpace: "nowrap" },
    createBox({ fontSize: 24, color: COLOR.dim }, label),
    createBox(
      { alignItems: "center", gap: 16, fontSize: 34, fontWeight: 600 },
      units === undefined ? null : createBarbs(units),
      value,
    ),
  );
}

/** Returns the concurrency units as the slanted barbs of a feather. */
function createBarbs(units: number): Node {
  const barbCount = Math.min(Math.max(units, MIN_BARBS), MAX_BARBS);
  return createBox(
    { gap: 8 },
    ...Array.from({ length: barbCount }, (_, index) =>
      createBox({
        width: 9,
        height: 30,
        borderRadius: 2,
        transform: "skewX(-18deg)",
        backgroundColor: index < units ? COLOR.accent : COLOR.line,
      }),
    ),
  );
}

function createFeatherIcon(size: number): Node {
  const path = (d: string): Node => ({ type: "path", props: { d } });
  return {
    type: "svg",
    props: {
      width: size,
      height: size,
      viewBox: "0 0 24 24",
      fill: "none",
      stroke: COLOR.accent,
      "stroke-width": 1.8,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      children: [
        path("M20.2 3.8C13 3.4 7.4 7.4 6.3 14.1L5.8 18l3.9-.5c6.7-1 10.8-6.500 10.500-13.700Z"),
        path("M3.5 20.5 14.800 9.2"),
        path("M9 14.9h5.3M12.2 11.8h5.3"),
      ],
    },
  };
}

const ownerSize = (owner: string) => (owner.length > 40 ? 22 : 44);

function titleSize(title: string): number {
  return TITLE_SIZES.find(([maxLength]) => title.length <= maxLength)?.[1] ?? MIN_TITLE_SIZE;
}
