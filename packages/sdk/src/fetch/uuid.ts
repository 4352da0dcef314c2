/**
 * Returns a random UUID (version 4), also on pages without HTTPS, where browsers have no `crypto.randomUUID`. In the
 * pattern 4 is the version, 8 stands for the variant with two random bits, and 0 and 1 for random digits.
 */
export function createUuid(): string {
  return "10000000-1000-4000-8000-100000000000".replaceAll(/[018]/g, (place) => {
    const random = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
    return (Number(place) ^ (random & (15 >> (Number(place) / 4)))).toString(16);
  });
}
