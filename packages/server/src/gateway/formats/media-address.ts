import { type AppError, invalidRequest } from "../../shared/errors.ts";
import { isIpAddress, isPublicAddress } from "../../shared/networks.ts";

/** Which addresses of pictures, audio, videos and files backends are sent: none, or public ones by https. */
export type RemoteMedia = "off" | "https";

/** Media types that a data URL of each kind may have. A file may be anything. */
const DATA_URLS = {
  image: /^data:image\/[\w.+-]{1,100};base64,/i,
  audio: /^data:audio\/[\w.+-]{1,100};base64,/i,
  video: /^data:video\/[\w.+-]{1,100};base64,/i,
  file: /^data:[\w.+-]{1,100}\/[\w.+-]{1,100};base64,/i,
};
export type MediaKind = keyof typeof DATA_URLS;

/** Names that only mean something inside a network. */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/;

/**
 * Returns the address of a medium as it may be sent to a backend. The gateway itself fetches nothing, but a backend might,
 * so what it is sent must not lead to its own network. A name is not looked up: the backend would look it up again. Throws
 * `invalid_request`.
 */
export function admitMediaUrl(url: string, kind: MediaKind, remote: RemoteMedia, param: string): string {
  if (DATA_URLS[kind].test(url)) return url;
  if (remote === "off") throw notADataUrl(kind, param);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== "https:" || parsed.username !== "" || parsed.password !== "" || isInside(parsed.hostname))
    throw invalidRequest(`${param} must be a data URL (${example(kind)}) or a public https address.`, { param });
  return parsed.href; // as it was understood here, so that the backend does not understand it differently
}

function isInside(hostname: string): boolean {
  if (isIpAddress(hostname)) return !isPublicAddress(hostname);
  return !hostname.includes(".") || INSIDE.test(hostname);
}

function notADataUrl(kind: MediaKind, param: string): AppError {
  return invalidRequest(
    `${param} must hold the ${kind} itself as a data URL (${example(kind)}): this server passes no addresses on. ` +
      "Its operator can allow public https addresses with FEATHER_REMOTE_MEDIA=https.",
    { param },
  );
}

function example(kind: MediaKind): string {
  const types = { image: "image/png", audio: "audio/wav", video: "video/mp4", file: "application/pdf" };
  return `data:${types[kind]};base64,…`;
}
