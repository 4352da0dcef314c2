/** Prints how many rounds of work, of the kind that a gateway does, its core manages in a second. */
const MESSAGE = { model: "bench/instant", messages: [{ role: "user", content: "Why do feathers insulate?" }] };
const SECONDS = 1;

work(SECONDS); // until it is compiled
console.log(work(SECONDS));

function work(seconds: number): number {
  const end = performance.now() + seconds * 1000;
  let rounds = 0;
  while (performance.now() < end) rounds += JSON.parse(JSON.stringify({ ...MESSAGE, n: rounds })).messages.length;
  return rounds;
}
