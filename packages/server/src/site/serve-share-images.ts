import type { FastifyInstance } from "fastify";
import { knows } from "../http/etag.ts";
import { notFound } from "../shared/errors.ts";
import type { PageFacts } from "./found.ts";
import type { PageImage } from "./render-page.ts";
import { drawable } from "./share/share-card.ts";
import type { ShareImages } from "./share/share-images.ts";

const PREFIX = "/share";
const ENDING = ".png";
/** Share image of pages without one of their own. */
const MARK = "/share.png";

type Deps = { images: ShareImages; factsOf(path: string): Promise<PageFacts>; productName: string };

/** Returns a function from page metadata to the page's share image. The URL changes with the content of the image. */
export function createImageOf({ images, productName }: Pick<Deps, "images" | "productName">) {
  return ({ card, canonical, title }: PageFacts): PageImage => {
    const drawn = card && canonical !== null ? drawable(card) : null;
    if (drawn === null) return { path: MARK, alt: `The feather of ${productName}` };
    const path = `${PREFIX}${encodeURI(canonical ?? "")}${ENDING}?v=${images.version(drawn)}`;
    return { path, alt: [`${title} on ${productName}`, ...drawn.facts.map(inWords)].join(", ") };
  };
}

const inWords = ({ label, value }: { label: string; value: string }) => `${label}: ${value}`;

/** Serves the share images, below `/share` at the paths of their pages. */
export function serveShareImages(app: FastifyInstance, { images, factsOf }: Deps): void {
  app.addHook("onClose", async () => images.close());
  app.get<{ Params: { "*": string }; Querystring: { v?: unknown } }>(`${PREFIX}/*`, async (request, reply) => {
    const name = request.params["*"];
    if (!name.endsWith(ENDING)) throw notFound();
    const { card, canonical } = await factsOf(`/${name.slice(0, -ENDING.length)}`);
    const drawn = card && canonical !== null ? drawable(card) : null;
    if (drawn === null) throw notFound();
    const version = images.version(drawn);
    const etag = `"${version}"`;
    const lasting = request.query.v === version;
    reply.headers({
      etag,
      "cache-control": lasting ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    });
    if (knows(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("image/png").send(Buffer.from(await images.png(drawn)));
  });
}
