import type { FastifyInstance } from "fastify";
import { errors } from "../platform/core/errors/index.ts";
import { matchesETag } from "../platform/core/http/etag.ts";
import type { PageAccess } from "./page-access.ts";
import type { PageMetadata } from "./page-metadata.ts";
import type { PageImage } from "./render-page.ts";
import { toDrawableCard } from "./share/share-card.ts";
import type { ShareImages } from "./share/share-images.ts";

const PATH_PREFIX = "/share";
const FILE_EXTENSION = ".png";
/** The share image of pages without their own. */
const DEFAULT_IMAGE_PATH = "/share.png";

type Deps = { images: ShareImages; findPage(path: string): Promise<PageMetadata>; access: PageAccess };

/** Returns a function from page metadata to the page's share image. The URL changes with the content of the image. */
export function createPageImageLookup({ images, productName }: { images: ShareImages; productName: string }) {
  return ({ card, canonical, title }: PageMetadata): PageImage => {
    const drawableCard = card && canonical !== null ? toDrawableCard(card) : null;
    if (drawableCard === null) return { path: DEFAULT_IMAGE_PATH, alt: `The feather of ${productName}` };
    const path = `${PATH_PREFIX}${encodeURI(canonical ?? "")}${FILE_EXTENSION}?v=${images.getVersion(drawableCard)}`;
    return { path, alt: [`${title} on ${productName}`, ...drawableCard.facts.map(formatFact)].join(", ") };
  };
}

const formatFact = ({ label, value }: { label: string; value: string }) => `${label}: ${value}`;

/** Serves the share images below `/share`, at the paths of their pages, for pages that visitors may open. */
export function serveShareImages(app: FastifyInstance, { images, findPage, access }: Deps): void {
  app.addHook("onClose", async () => images.close());
  app.get<{ Params: { "*": string }; Querystring: { v?: unknown } }>(`${PATH_PREFIX}/*`, async (request, reply) => {
    const name = request.params["*"];
    if (!name.endsWith(FILE_EXTENSION)) throw errors.notFound();
    const { card, canonical } = await findPage(`/${name.slice(0, -FILE_EXTENSION.length)}`);
    const drawableCard = card && canonical !== null ? toDrawableCard(card) : null;
    if (drawableCard === null || canonical === null) throw errors.notFound();
    const decide = await access.forVisitors(request);
    if (decide(canonical).action !== "show") throw errors.notFound();
    const version = images.getVersion(drawableCard);
    const etag = `"${version}"`;
    const isVersioned = request.query.v === version;
    reply.headers({
      etag,
      "cache-control": isVersioned ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    });
    if (matchesETag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("image/png").send(Buffer.from(await images.getPng(drawableCard)));
  });
}
