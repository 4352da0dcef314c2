import type { FastifyRequest } from "fastify";

/**
 * Removes the content type of a request without a body: many clients send `application/json` with every call, and an empty
 * text is not valid JSON.
 */
export function ignoreTypeOfEmptyBody({ headers }: Pick<FastifyRequest, "headers">): void {
  if (isEmpty(headers)) delete headers["content-type"];
}

function isEmpty(headers: FastifyRequest["headers"]): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] === undefined && (length === undefined || length === "0");
}
