/** The code in an error of either envelope. */
export function codeOf(body: unknown): string | undefined {
  const { data, error } = body as { data?: string; error?: { code: string } };
  return error?.code ?? (JSON.parse(data ?? "{}") as { code?: string }).code;
}
