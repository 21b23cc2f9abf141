import type { Page } from '@playwright/test';
import { send, unique } from './support/api.ts';
import { answerCalls, failure, holdCalls } from './support/calls.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { expect, failedCall, test } from './support/test.ts';
import {
  customerField,
  expectProgress,
  openUpload,
  progressBar,
  uploadButton,
} from './support/upload-screen.ts';

const minuteMs = 60_000;

/** From here on the test advances the page's clock. */
const stopTime = async (page: Page) => page.clock.pauseAt(Date.now() + minuteMs);

test('progress rises by 10 every 200 ms up to 90, and is 100 on success', async ({ adminPage, api }) => {
  const file = makeFile(`${unique('slow')}.txt`);
  await adminPage.clock.install();
  await openUpload(adminPage, await api.makeCustomer());
  await chooseFile(adminPage, file);
  await expect(uploadButton(adminPage)).toBeEnabled();
  await expect(progressBar(adminPage)).toHaveCount(0);
  const { release } = await holdCalls(adminPage, '/api/documents');
  await stopTime(adminPage);

  await uploadButton(adminPage).click();
  await expectProgress(adminPage, 0);
  await expect(uploadButton(adminPage)).toBeDisabled();
  await adminPage.clock.runFor(199);
  await expectProgress(adminPage, 0);
  await adminPage.clock.runFor(1);
  await expectProgress(adminPage, 10);
  for (const percent of [20, 30, 40, 50, 60, 70, 80, 90]) {
    await adminPage.clock.runFor(200);
    await expectProgress(adminPage, percent);
  }
  await adminPage.clock.runFor(minuteMs);
  await expectProgress(adminPage, 90);

  release();
  await expectProgress(adminPage, 100);
  await adminPage.clock.resume();
  await expect(adminPage).toHaveURL('/documents');
});

test('Cancel while uploading resets the progress to 0 and keeps the form', async ({ adminPage, api }) => {
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('cancelled')}.txt`);
  await adminPage.clock.install();
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, file);
  await adminPage.getByLabel('Description (optional)').fill('Still here');
  await holdCalls(adminPage, '/api/documents');
  await stopTime(adminPage);
  await uploadButton(adminPage).click();
  await adminPage.clock.runFor(600);
  await expectProgress(adminPage, 30);

  await adminPage.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(progressBar(adminPage)).toHaveCount(0);
  await expect(adminPage).toHaveURL(`/documents/upload?customer=${customer.id}`);
  await expect(customerField(adminPage)).toHaveValue(customer.name);
  await expect(adminPage.getByText(file.name, { exact: true })).toBeVisible();
  await expect(adminPage.getByLabel('Description (optional)')).toHaveValue('Still here');
  await expect(adminPage.getByRole('alert')).toHaveCount(0);
  const { body } = await send(api.url, 'GET', `/api/documents/customer/${customer.id}`, api.token);
  expect(body.count).toBe(0);

  await uploadButton(adminPage).click();
  await expectProgress(adminPage, 0);
  await adminPage.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(progressBar(adminPage)).toHaveCount(0);
  await adminPage.unrouteAll({ behavior: 'ignoreErrors' });
  await adminPage.clock.resume();
  await uploadButton(adminPage).click();
  await expect(adminPage).toHaveURL('/documents');
});

test('a failure resets the progress to 0 and loses nothing', async ({ adminPage, api, expectConsole }) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('failed')}.txt`);
  const { restore } = await answerCalls(adminPage, 'POST', '/api/documents', failure);
  const { release } = await holdCalls(adminPage, '/api/documents');
  await adminPage.clock.install();
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, file);
  await adminPage.getByLabel('Description (optional)').fill('Still here');
  await stopTime(adminPage);
  await uploadButton(adminPage).click();
  await adminPage.clock.runFor(400);
  await expectProgress(adminPage, 20);

  release();
  const alert = adminPage.getByRole('alert');
  await expect(alert).toHaveText('Failed to upload document. Please try again.');
  await expect(progressBar(adminPage)).toHaveCount(0);
  await expect(customerField(adminPage)).toHaveValue(customer.name);
  await expect(adminPage.getByText(file.name, { exact: true })).toBeVisible();
  await expect(adminPage.getByLabel('Description (optional)')).toHaveValue('Still here');

  await restore();
  const second = await holdCalls(adminPage, '/api/documents');
  await uploadButton(adminPage).click();
  await expectProgress(adminPage, 0);
  await expect(alert).toHaveCount(0);
  second.release();
  await adminPage.clock.resume();
  await expect(adminPage).toHaveURL('/documents');
});

test('nothing can be changed while it is uploading', async ({ adminPage, api }) => {
  await openUpload(adminPage, await api.makeCustomer());
  await chooseFile(adminPage, makeFile(`${unique('busy')}.txt`));
  const { release } = await holdCalls(adminPage, '/api/documents');
  await uploadButton(adminPage).click();
  await expect(progressBar(adminPage)).toBeVisible();
  await expect(uploadButton(adminPage)).toBeDisabled();
  await expect(customerField(adminPage)).toBeDisabled();
  await expect(adminPage.getByRole('button', { name: 'Choose another file' })).toBeDisabled();
  await expect(adminPage.getByLabel('Description (optional)')).toBeDisabled();
  release();
  await expect(adminPage).toHaveURL('/documents');
});
