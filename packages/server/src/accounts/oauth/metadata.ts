import { APPLICATION_SCOPES } from "@feather/openapi/scopes";

const CLIENT_AUTHENTICATION = ["client_secret_basic", "client_secret_post", "none"];

/**
 * Returns the provider's metadata document, RFC 8414. All addresses are built from the public URL, never from a
 * request.
 */
export function createProviderMetadata(publicUrl: string) {
  const api = `${publicUrl}/api/oauth`;
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${api}/token`,
    device_authorization_endpoint: `${api}/device`,
    revocation_endpoint: `${api}/revoke`,
    userinfo_endpoint: `${api}/userinfo`,
    scopes_supported: APPLICATION_SCOPES.map(({ id }) => id),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/docs`,
  };
}
