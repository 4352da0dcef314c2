/** The error code in OpenAI's envelope or the site's. */
export function errorCode(body: unknown): string | undefined {
  const { data, error } = body as { data?: string; error?: { code: string } };
  return error?.code ?? (JSON.parse(data ?? "{}") as { code?: string }).code;
}
