type Security = readonly Readonly<Record<string, readonly string[]>>[];
type Document = { security?: Security; paths: Record<string, Record<string, unknown>> };

/** Ids of the operations that only callers with a session or a bearer credential reach, in the order of the contract. */
export function listSignedInOperations({ paths, security: fallback = [] }: Document): string[] {
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(isOperation)
    .filter(({ security = fallback }) => needsCredential(security))
    .map(({ operationId }) => operationId);
}

/** The module `generated/signed-in-operations.ts`: a union of those ids. */
export function renderSignedInOperations(document: Document): string {
  const ids = listSignedInOperations(document).map((id) => `\n  | "${id}"`);
  return `/** Operations that only callers with a session or a bearer credential reach. */\nexport type SignedInOperation =${ids.join("")};\n`;
}

function isOperation(value: unknown): value is { operationId: string; security?: Security } {
  return typeof value === "object" && value !== null && "operationId" in value;
}

/** Whether every alternative of `security` is a session or a bearer credential. */
function needsCredential(security: Security): boolean {
  return (
    security.length > 0 &&
    security.every((schemes) => Object.keys(schemes).some((scheme) => scheme === "session" || scheme === "bearer"))
  );
}
