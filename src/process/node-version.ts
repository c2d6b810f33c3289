/**
 * Returns whether a version of Node.js is in the range that a package supports.
 * @param version such as `20.19.4`
 * @param range the value of `engines.node` in `package.json`: `^MAJOR.MINOR` and `>=MAJOR` with `||` in between
 */
export function isSupported(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return range.split('||').some((part) => {
    const [fromMajor = 0, fromMinor = 0] = part
      .replace(/[^\d.]/g, '')
      .split('.')
      .map(Number);
    if (major === fromMajor) return minor >= fromMinor;
    return part.includes('>=') && major > fromMajor;
  });
}
