/**
 * Reads what a client sends to Redis, in pieces of any size, and tells each command's name in upper
 * case. Clients send commands as arrays of bulk strings: `*2\r\n$3\r\nGET\r\n$1\r\nk\r\n`.
 */
export function commandReader(onCommand: (name: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let stringsLeft = 0;
  let isName = false;

  /** One line or one string from the front of `rest`; false when it is not all there yet. */
  function step(): boolean {
    const lineEnd = rest.indexOf('\r\n');
    if (lineEnd === -1) return false;
    const number = Number(rest.toString('latin1', 1, lineEnd));
    if (stringsLeft === 0) {
      stringsLeft = number;
      isName = true;
      rest = rest.subarray(lineEnd + 2);
      return true;
    }
    const end = lineEnd + 2 + number;
    if (rest.length < end + 2) return false;
    if (isName) onCommand(rest.toString('latin1', lineEnd + 2, end).toUpperCase());
    isName = false;
    stringsLeft -= 1;
    rest = rest.subarray(end + 2);
    return true;
  }

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (step());
  };
}
