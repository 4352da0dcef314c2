/** The platform this site belongs to, as the signed-in visitor. */
export declare const feather: import("@feather/sdk").Feather;
