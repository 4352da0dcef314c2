import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { isIpAddress, isPublicAddress } from "../../platform/core/network/networks.ts";

/** Which media addresses are sent to backends: none, or public ones with https. */
export type RemoteMedia = "off" | "https";

/** Accepted data URLs by kind. A file may have any media type. */
const DATA_URL_PATTERNS = {
  image: /^data:image\/[\w.+-]{1,100};base64,/i,
  audio: /^data:audio\/[\w.+-]{1,100};base64,/i,
  video: /^data:video\/[\w.+-]{1,100};base64,/i,
  file: /^data:[\w.+-]{1,100}\/[\w.+-]{1,100};base64,/i,
};
/** The kinds of media in messages. */
export type MediaKind = keyof typeof DATA_URL_PATTERNS;

/** Host names that only resolve inside a network. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/;

/**
 * Returns the address of a medium in the form that is sent to a backend. Backends may fetch it, so it must not point into
 * their own network. Names are not resolved here, since the backend resolves them again. Throws `invalid_request`.
 */
export function validateMediaUrl(url: string, kind: MediaKind, remoteMedia: RemoteMedia, param: string): string {
  if (DATA_URL_PATTERNS[kind].test(url)) return url;
  if (remoteMedia === "off") throw dataUrlRequired(kind, param);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (
    parsed?.protocol !== "https:" ||
    parsed.username !== "" ||
    parsed.password !== "" ||
    isPrivateHost(parsed.hostname)
  )
    throw errors.invalidRequest(`${param} must be a data URL (${exampleDataUrl(kind)}) or a public https address.`, {
      param,
    });
  return parsed.href; // normalized, so that the backend parses it the same way
}

function isPrivateHost(hostname: string): boolean {
  if (isIpAddress(hostname)) return !isPublicAddress(hostname);
  return !hostname.includes(".") || PRIVATE_NAMES.test(hostname);
}

function dataUrlRequired(kind: MediaKind, param: string): AppError {
  return errors.invalidRequest(
    `${param} must hold the ${kind} itself as a data URL (${exampleDataUrl(kind)}): this server passes no addresses on. ` +
      "Its operator can allow public https addresses with FEATHER_REMOTE_MEDIA=https.",
    { param },
  );
}

function exampleDataUrl(kind: MediaKind): string {
  const types = { image: "image/png", audio: "audio/wav", video: "video/mp4", file: "application/pdf" };
  return `data:${types[kind]};base64,…`;
}

/** Returns the error for a file that is named by the id that an upload had elsewhere. */
export const fileIdRefused = (param: string): AppError =>
  errors.invalidRequest(
    `${param} cannot be used: this server keeps no files. Send the file itself in file_data, as a data URL.`,
    {
      param,
    },
  );
