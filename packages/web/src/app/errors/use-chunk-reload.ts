import { useLayoutEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { reloadAfterChunkError } from "./chunk-reload.ts";

/** Returns whether the page is being reloaded because a new version has replaced its chunks. */
export function useChunkReload(error: unknown): boolean {
  const { pathname } = useLocation();
  const [reloading, setReloading] = useState(true); // until known, to avoid a flash of an error that resolves itself
  useLayoutEffect(() => setReloading(reloadAfterChunkError(error, pathname)), [error, pathname]);
  return reloading;
}
