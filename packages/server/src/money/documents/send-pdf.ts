import type { FastifyReply } from "fastify";
import type { BillingDocument } from "./billing-document.ts";
import { drawDocument } from "./pdf/draw-document.ts";

/** Sends a document as PDF, which browsers show, and save under its number. */
export async function sendPdf(reply: FastifyReply, document: BillingDocument): Promise<FastifyReply> {
  const bytes = await drawDocument(document);
  return reply
    .headers({ "content-disposition": `inline; filename="${document.number}.pdf"`, "cache-control": "no-store" })
    .type("application/pdf")
    .send(bytes);
}
