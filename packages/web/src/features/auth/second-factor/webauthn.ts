import type { PasskeyAssertion, PasskeyAttestation, PasskeyCreationOptions, PasskeyRequestOptions } from "@feather/sdk";
import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "#/lib/error-message.ts";
import { siteConfigQuery } from "#/lib/site-config.ts";

const loadWebAuthn = () => import("@simplewebauthn/browser");

/** Returns whether the browser supports passkeys. It does so only at https addresses and localhost. */
export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === "function";

/**
 * Returns whether passkeys can be used: `address` where this page is not at the public address, `browser` where the
 * browser does not support them. Undefined while the site's configuration is loading.
 */
export function usePasskeySupport(): "yes" | "address" | "browser" | undefined {
  const { data } = useQuery(siteConfigQuery);
  if (data === undefined) return undefined;
  if (!data.passkeys || new URL(data.public_url).hostname !== globalThis.location.hostname) return "address";
  return supportsPasskeys() ? "yes" : "browser";
}

/** Creates a passkey in the browser. */
export async function requestNewPasskey(options: PasskeyCreationOptions): Promise<PasskeyAttestation> {
  const { startRegistration } = await loadWebAuthn();
  const { id, rawId, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    id,
    rawId,
    type: "public-key",
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** Requests a passkey from the browser and returns its assertion. */
export async function requestPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await loadWebAuthn();
  const { id, rawId, response } = await startAuthentication({ optionsJSON: options });
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return {
    id,
    rawId,
    type: "public-key",
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}

/** Returns the message for an error of a passkey operation. */
export function passkeyErrorMessage(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError")
    return t`No passkey was used: it was cancelled, took too long, or there is none for this site here.`;
  if (name === "InvalidStateError") return t`There is a passkey for your account on this device already.`;
  if (name === "SecurityError") return t`Passkeys of this site do not work at this address.`;
  if (isApiError(error) || name === "TypeError") return errorMessage(error);
  return t`The passkey could not be used. Try again, or choose another way.`;
}
