#include <proton/connection.hpp>
#include <proton/container.hpp>
#include <proton/delivery.hpp>
#include <proton/message.hpp>
#include <proton/messaging_handler.hpp>
#include <proton/receiver.hpp>
#include <proton/receiver_options.hpp>
#include <proton/sender.hpp>
#include <proton/source_options.hpp>
#include <proton/tracker.hpp>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

/// Publishes three prices to the last-value queue "prices", browses what is current, and closes.
class Prices : public proton::messaging_handler {
 public:
  explicit Prices(std::string url) : url_(std::move(url)) {}

  void on_container_start(proton::container& container) override { container.connect(url_); }

  void on_connection_open(proton::connection& connection) override { connection.open_sender("prices"); }

  void on_sendable(proton::sender& sender) override {
    for (; sent_ < prices_.size() && sender.credit(); ++sent_) {
      proton::message message(prices_[sent_].second);
      message.properties().put("symbol", prices_[sent_].first);
      sender.send(message);
    }
  }

  void on_tracker_accept(proton::tracker& tracker) override {
    if (++accepted_ < prices_.size()) return;
    proton::source_options copy;
    copy.distribution_mode(proton::source::COPY);
    tracker.connection().open_receiver("prices", proton::receiver_options().source(copy).credit_window(0)).add_credit(2);
  }

  void on_message(proton::delivery& delivery, proton::message& message) override {
    std::cout << message.properties().get("symbol") << " " << message.body() << std::endl;
    if (++browsed_ == 2) delivery.connection().close();
  }

 private:
  const std::string url_;
  const std::vector<std::pair<std::string, std::string>> prices_{
      {"AAPL", "101.5"}, {"MSFT", "402.1"}, {"AAPL", "101.7"}};
  std::size_t sent_ = 0, accepted_ = 0, browsed_ = 0;
};

int main(int count, char** arguments) {
  Prices prices(count > 1 ? arguments[1] : "amqp://127.0.0.1:5672");
  proton::container(prices).run();
}
