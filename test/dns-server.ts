import { createSocket } from 'node:dgram';
import { promises as dns, getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/**
 * A real DNS server on the loopback interface with TXT records from a test. This process uses it until the test ends.
 */
export async function startDns(texts: Record<string, string[]>): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    socket.send(answerTo(question, texts), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const before = getServers();
  // The promise functions of `dns` have a separate list of servers.
  setServers([`127.0.0.1:${socket.address().port}`]);
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  onTestFinished(() => {
    setServers(before);
    dns.setServers(before);
    socket.close();
  });
}

const HEADER = 12;

/** The answer of RFC 1035 to a query for TXT records; a name without records does not exist. */
function answerTo(question: Buffer, texts: Record<string, string[]>): Buffer {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  const found = texts[labels.join('.').toLowerCase()] ?? [];
  const header = Buffer.from(question.subarray(0, HEADER));
  header.writeUInt16BE(found.length > 0 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(found.length, 6);
  header.writeUInt32BE(0, 8);
  const answers = found.map((text) => {
    // A string has at most 255 bytes; a longer text is split.
    const parts = text
      .match(/.{1,255}/gs)!
      .map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]));
    const data = Buffer.concat(parts);
    const fixed = Buffer.from([0xc0, HEADER, 0, 16, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([header, question.subarray(HEADER, end), ...answers]);
}
