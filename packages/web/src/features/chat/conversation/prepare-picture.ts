/** The most pixels of a picture's longer side: what models look at is no larger. */
export const MAX_SIDE_PX = 2048;
/** A side below which a picture is not made smaller to save bytes. */
const MIN_SIDE_PX = 256;
const JPEG_QUALITY = 0.85;

/** What draws pictures, as browsers have it. */
export type DrawPicture = (file: Blob, options: { maxSide: number; type: "image/jpeg" | "image/png" }) => Promise<Blob>;

/**
 * Returns a picture upright, at most `MAX_SIDE_PX` wide and high, and of at most `maxBytes`. It is drawn anew, so that nothing of the
 * file is left but what is seen: no place, no time, no camera. A PNG or WebP stays without loss, unless that takes too many bytes.
 * Throws if the browser cannot read the picture, or it cannot be made small enough.
 */
export async function preparePicture(file: Blob, maxBytes: number, draw: DrawPicture = drawPicture): Promise<Blob> {
  const types = file.type === "image/jpeg" ? (["image/jpeg"] as const) : (["image/png", "image/jpeg"] as const);
  for (let maxSide = MAX_SIDE_PX; maxSide >= MIN_SIDE_PX; maxSide /= 2)
    for (const type of types) {
      const drawn = await draw(file, { maxSide, type });
      if (drawn.size <= maxBytes) return drawn;
    }
  throw new Error("The picture cannot be made small enough.");
}

/** Draws a picture as its orientation says. Transparent parts of a JPEG are white. */
const drawPicture: DrawPicture = async (file, { maxSide, type }) => {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("The browser draws no pictures.");
    if (type === "image/jpeg") {
      context.fillStyle = "#fff";
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
    if (drawn === null) throw new Error("The browser cannot store the picture.");
    return drawn;
  } finally {
    bitmap.close();
  }
};
