import nodemailer from 'nodemailer';
import { expect, test } from './fixtures.ts';

const message = { from: 'licencias@example.com', subject: 'Su licencia ñ', text: 'Año nuevo' };

test('a received message is recorded with its envelope and its text', async ({ smtp }) => {
  const sender = nodemailer.createTransport(smtp.url);
  await sender.sendMail({ ...message, to: 'ana@example.com', bcc: 'oculto@example.com' });
  const received = await smtp.waitFor(({ to }) => to.includes('ana@example.com'));
  expect(received).toMatchObject({
    from: 'licencias@example.com',
    to: ['ana@example.com', 'oculto@example.com'],
  });
  expect(received.email).toMatchObject({ subject: 'Su licencia ñ', text: 'Año nuevo\n' });
  expect(received.raw).toContain('To: ana@example.com');
});

test('a recipient can be refused temporarily or permanently, and accepted again', async ({ smtp }) => {
  const sender = nodemailer.createTransport(smtp.url);
  for (const code of [451, 550]) {
    smtp.answers.recipient = () => ({ code, text: 'no' });
    await expect(sender.sendMail({ ...message, to: 'ana@example.com' })).rejects.toMatchObject({
      responseCode: code,
    });
  }
  expect(smtp.accepted).toEqual([]);
  smtp.answers.recipient = () => 'accept';
  await sender.sendMail({ ...message, to: 'ana@example.com' });
  expect(smtp.accepted).toHaveLength(1);
});

test('a hanging peer lets the sender wait until its timeout', async ({ smtp }) => {
  smtp.answers.recipient = () => 'hang';
  const sender = nodemailer.createTransport({ url: smtp.url, socketTimeout: 300 });
  await expect(sender.sendMail({ ...message, to: 'ana@example.com' })).rejects.toMatchObject({
    code: 'ETIMEDOUT',
  });
});

test('waiting for a message that does not arrive fails and lists the messages that did', async ({ smtp }) => {
  await nodemailer.createTransport(smtp.url).sendMail({ ...message, to: 'otra@example.com' });
  await expect(smtp.waitFor(({ to }) => to.includes('ana@example.com'), 100)).rejects.toThrow(
    /otra@example\.com/,
  );
});
